package baseline

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/synthetic"
	"github.com/rkhs-go/rkhs/kernel"
)

func series(n int) *dataset.Set {
	noisy, _ := synthetic.MackeyGlass(n+7, 1)
	return synthetic.Embed(noisy, noisy, 7)
}

// Without the novelty criterion each step adds a term: f(x_i) = Step·Σ_{j<i} e_j·k(x_j, x_i).
func TestKLMSAdmitsAll(t *testing.T) {
	s := series(80)
	k := kernel.Gaussian{Sigma: math.Sqrt(0.5)}
	l := NewKLMS(k, 7, 0.3, 0, -1)
	var e []float64
	for i, y := range s.Y {
		f := 0.0
		for j, v := range e {
			f += 0.3 * v * k.Eval(s.X.RawRowView(j), s.X.RawRowView(i))
		}
		e = append(e, y-f)
		near(t, "error", l.Update(s.X.RawRowView(i), y), y-f, 1e-12)
	}
	if l.Function().Order() != 80 {
		t.Errorf("%d points, want 80", l.Function().Order())
	}
}

// The distances between points exceed the limit, and a row with a small error changes no weight.
func TestKLMSNovelty(t *testing.T) {
	s := series(400)
	l := NewKLMS(kernel.Gaussian{Sigma: math.Sqrt(0.5)}, 7, 0.3, 0.4, 0.1)
	for i, y := range s.Y {
		before := l.Function().Order()
		if e := l.Update(s.X.RawRowView(i), y); math.Abs(e) <= 0.1 && l.Function().Order() != before {
			t.Fatalf("row %d with error %v was added", i, e)
		}
	}
	f := l.Function()
	if f.Order() < 5 || f.Order() > 200 {
		t.Errorf("%d points of 400 rows", f.Order())
	}
	for i := range f.Order() {
		for j := range i {
			var d mat.VecDense
			d.SubVec(mat.NewVecDense(7, f.point(i)), mat.NewVecDense(7, f.point(j)))
			if d.Norm(2) <= 0.4 {
				t.Fatalf("points %d and %d are apart by %v", i, j, d.Norm(2))
			}
		}
	}
}

// KRLS matches a QR solution of least squares, with each row projected onto the dictionary at its
// time.
func TestKRLSIsLeastSquares(t *testing.T) {
	s := series(150)
	k := kernel.Gaussian{Sigma: math.Sqrt(0.5)}
	l := NewKRLS(k, 7, 0.1)
	var rows [][]float64 // coefficients of each row
	for i, y := range s.Y {
		x := s.X.RawRowView(i)
		m := l.Function().Order()
		a := make([]float64, m)
		if m > 0 {
			l.factor.SolveVecTo(a, append([]float64(nil), l.f.row(x)...))
		}
		l.Update(x, y)
		if l.Function().Order() > m {
			a = make([]float64, m+1)
			a[m] = 1
		}
		rows = append(rows, a)
	}
	m := l.Function().Order()
	if m < 5 || m == len(rows) {
		t.Fatalf("%d points of %d rows", m, len(rows))
	}
	a := mat.NewDense(len(rows), m, nil)
	for i, r := range rows {
		for j, v := range r {
			a.Set(i, j, v)
		}
	}
	var gram, want mat.Dense
	if err := kernel.Cross(&gram, k, mat.NewDense(m, 7, l.f.points), mat.NewDense(m, 7, l.f.points)); err != nil {
		t.Fatal(err)
	}
	a.Mul(a, &gram)
	if err := want.Solve(a, mat.NewDense(len(rows), 1, s.Y)); err != nil {
		t.Fatal(err)
	}
	for j, w := range l.f.weights {
		near(t, "weight", w, want.At(j, 0), 1e-8)
	}
}

// With all rows in the dictionary KRLS interpolates.
func TestKRLSInterpolates(t *testing.T) {
	s := series(30)
	l := NewKRLS(kernel.Gaussian{Sigma: math.Sqrt(0.5)}, 7, 1e-12)
	for i, y := range s.Y {
		l.Update(s.X.RawRowView(i), y)
	}
	if l.Function().Order() != 30 {
		t.Fatalf("%d points, want 30", l.Function().Order())
	}
	f := l.Function().Scores(s.X)
	for i, y := range s.Y {
		near(t, "value", f.At(i, 0), y, 1e-7)
	}
}
