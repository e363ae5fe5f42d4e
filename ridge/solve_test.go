package ridge

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// wave draws n rows of d columns and two outputs.
func wave(n, d int) (x, y *mat.Dense) {
	r := rng.New(1, "wave", 0)
	x, y = mat.NewDense(n, d, nil), mat.NewDense(n, 2, nil)
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = r.NormFloat64()
		}
		y.Set(i, 0, 3+math.Sin(2*row[0])+row[d-1]+0.1*r.NormFloat64())
		y.Set(i, 1, math.Abs(row[0])-row[d-1]*row[0])
	}
	return x, y
}

func problemOf(t testing.TB, x, y *mat.Dense, o Options) *problem {
	t.Helper()
	c, err := o.checked(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	p, err := newProblem(compute.DensePoints(x.RawMatrix()), y.RawMatrix(), nil, nil, c, progress.New(context.Background(), nil, pkg))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// dense solves the equations of a regression on points by gonum: with K_X = k(x, X) for points X and s = n·lam
//
//	K_XᵀWK_X·a + s·K_XX·a + K_XᵀW1·b = K_XᵀWy,   1ᵀWK_X·a + 1ᵀW1·b = 1ᵀWy,
//
// or of all rows K·a + s·W⁻¹a + b = y, 1ᵀa = 0, with W for the weights.
func dense(t testing.TB, p *problem, points compute.Matrix, constant bool) (weights *mat.Dense, b []float64) {
	t.Helper()
	n, m, q := p.x.Rows, points.Rows, p.y.Cols
	k, gram, y := mat.NewDense(n, m, nil), mat.NewDense(m, m, nil), mat.NewDense(n, q, p.y.Data)
	p.of.CrossOf(k.RawMatrix(), p.x, compute.DensePoints(points))
	weight, weighed, targets := mat.NewDiagDense(n, slices.Repeat([]float64{1}, n)), new(mat.Dense), new(mat.Dense)
	for i, w := range p.weights {
		weight.SetDiag(i, w)
	}
	weighed.Mul(weight, k)
	targets.Mul(weight, y)
	p.of.Gram(gram.RawMatrix(), points)
	a, right := mat.NewDense(m+1, m+1, nil), mat.NewDense(m+1, q, nil)
	corner, top := a.Slice(0, m, 0, m).(*mat.Dense), right.Slice(0, m, 0, q).(*mat.Dense)
	if m == n {
		corner.Copy(gram)
		top.Copy(y)
		gram.Zero()
		for i := range m {
			gram.Set(i, i, 1/weight.At(i, i))
		}
	} else {
		corner.Mul(k.T(), weighed)
		top.Mul(k.T(), targets)
		a.Set(m, m, mat.Trace(weight))
	}
	gram.Scale(p.noise, gram)
	corner.Add(corner, gram)
	for i := range m {
		v := 1.0
		if m < n {
			v = mat.Sum(weighed.ColView(i))
		}
		a.Set(i, m, v)
		a.Set(m, i, v)
	}
	for o := range q {
		if m < n {
			right.Set(m, o, mat.Sum(targets.ColView(o)))
		}
	}
	if !constant {
		for i := range m {
			a.Set(i, m, 0)
			a.Set(m, i, 0)
		}
		a.Set(m, m, 1)
	}
	var solved mat.Dense
	if err := solved.Solve(a, right); err != nil {
		t.Fatal(err)
	}
	b = slices.Clone(p.means)
	if constant {
		floats.Add(b, mat.Row(nil, m, &solved))
	}
	return mat.DenseCopyOf(solved.Slice(0, m, 0, q)), b
}

func (s *solution) at(p *problem, x compute.Matrix) compute.Matrix {
	f := compute.NewMatrix(x.Rows, s.weights.Cols)
	p.of.MulOf(f, compute.DensePoints(x), s.points, s.weights)
	compute.AddRow(f, s.intercept)
	return f
}

func distance(a, b compute.Matrix) float64 {
	most := 0.0
	for i, v := range a.Data {
		most = math.Max(most, math.Abs(v-b.Data[i]))
	}
	return most
}

// The kernel search uses fewer rows if the memory is small.
func TestSearchKeepsTheLimit(t *testing.T) {
	x, y := wave(300, 4)
	for limit, rows := range map[int64]int{0: 300, 3 << 20: 100} {
		m, err := Fit(context.Background(), x, y, &Options{MemoryLimit: limit})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Report().Search.Rows; got > rows || got < rows*3/5 {
			t.Errorf("%d rows within %d bytes", got, limit)
		}
	}
}

// Each solver solves its equations, with a constant and without, if landmarks suffice and if not.
func TestSolvers(t *testing.T) {
	t.Run("rows alike", func(t *testing.T) { checkSolvers(t, nil) })
	weights := make([]float64, 300)
	for i := range weights {
		weights[i] = math.Exp(2 * math.Sin(float64(i)))
	}
	t.Run("weights", func(t *testing.T) { checkSolvers(t, input.MeanOne(weights)) })
}

func checkSolvers(t *testing.T, weights []float64) {
	x, y := wave(300, 3)
	other, _ := wave(350, 3)
	at := compute.Rows(other.RawMatrix(), 300, 350)
	for _, c := range []Options{
		{Kernel: kernel.Matern{Nu: 1.5, Length: 2}, Ridge: 1e-5, Tolerance: 1e-10},
		{Kernel: kernel.Matern{Nu: 0.5, Length: 2}, Ridge: 1e-9, Tolerance: 1e-10},
		{Kernel: kernel.Gaussian{Sigma: 2}, Ridge: 1e-4, Tolerance: 1e-10, NoIntercept: true},
		{Kernel: kernel.Matern{Nu: 0.5, Length: 2}, Ridge: 1e-6, Tolerance: 1e-10, MaxPoints: 60},
		{Kernel: kernel.Matern{Nu: 0.5, Length: 2}, Ridge: 1e-6, Tolerance: 1e-10, MaxPoints: 60, NoIntercept: true},
	} {
		p := problemOf(t, x, y, c)
		p.weights = weights
		var found []*solution
		if c.MaxPoints == 0 {
			f := p.factorised(false)
			found = append(found, f)
			s, err := p.preconditioned()
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, s)
		} else {
			s, err := p.onPoints()
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, s)
		}
		w, b := dense(t, p, found[0].points.Matrix, !c.NoIntercept)
		want := (&solution{found[0].points, w.RawMatrix(), b}).at(p, at)
		for i, s := range found {
			if e := distance(s.at(p, at), want); !(e < 1e-6) {
				t.Errorf("%v, ridge %v, way %d: off by %v", c.Kernel, c.Ridge, i, e)
			}
		}
		if p.report.Status != rkhs.Converged || largest(p.report.Residual) > c.Tolerance {
			t.Errorf("%v, ridge %v: %v at a residual of %v after %d steps", c.Kernel, c.Ridge, p.report.Status, p.report.Residual, p.report.Iterations)
		}
	}
}

// A fit that is stopped in any phase of any solver returns a finite model and the error. It beats the constant if
// it has started to iterate.
func TestStopsInEveryPhase(t *testing.T) {
	x, y := wave(400, 3)
	for name, c := range map[string]struct {
		points int
		method func(*problem) (*solution, error)
		phases []string
	}{
		"factorised":     {0, func(p *problem) (*solution, error) { return p.factorised(false), nil }, []string{"factor", "solve"}},
		"preconditioned": {0, (*problem).preconditioned, []string{"centres", "kernel", "neighbours", "solve"}},
		"points":         {50, (*problem).onPoints, []string{"centres", "solve"}},
	} {
		for _, phase := range c.phases {
			stop, seen := errors.New("enough"), 0
			p := problemOf(t, x, y, Options{Kernel: kernel.Matern{Nu: 0.5, Length: 2}, Ridge: 1e-5, MaxPoints: c.points, Tolerance: 1e-10})
			p.monitor = progress.New(context.Background(), rkhs.RecorderFunc(func(r rkhs.Progress) error {
				if r.Phase == phase {
					seen++
				}
				if r.Phase == phase && (phase != "solve" || seen == 2) {
					return stop
				}
				return nil
			}), pkg)
			s, err := c.method(p)
			if s == nil && err == nil && phase != "solve" {
				s, err = p.onFew()
			}
			if err != nil || s == nil || seen == 0 {
				t.Fatalf("%s, %s: solution %v, error %v, %d reports", name, phase, s, err, seen)
			}
			if seen == 1 && phase == "solve" {
				continue // a single step was enough
			}
			f := s.at(p, p.x.Matrix)
			wrong := floats.Distance(f.Data, y.RawMatrix().Data, 2)
			if p.report.Status != rkhs.Stopped || !errors.Is(p.why(), stop) || !(wrong < floats.Norm(p.y.Data, 2)) {
				t.Errorf("%s, %s: %v, error %v, residual %v of %v", name, phase, p.report.Status, p.why(), wrong, floats.Norm(p.y.Data, 2))
			}
		}
	}
}

// The number of workers does not affect the bits of a solution, stored matrix or not.
func TestWorkers(t *testing.T) {
	x, y := wave(1100, 3)
	for _, limit := range []int64{0, 1} {
		var want compute.Matrix
		for _, workers := range []int{1, 2, 5} {
			p := problemOf(t, x, y, Options{Kernel: kernel.Matern{Nu: 0.5, Length: 2}, Ridge: 1e-6, Workers: workers, MemoryLimit: limit})
			s, err := p.preconditioned()
			if err != nil || p.report.Iterations > 40 {
				t.Fatal(err, p.report.Iterations)
			}
			if want.Rows == 0 {
				want = s.weights
			}
			if distance(s.weights, want) != 0 {
				t.Errorf("limit %d: %d workers give other bits than one", limit, workers)
			}
		}
	}
}
