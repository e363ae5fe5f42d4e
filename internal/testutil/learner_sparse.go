package testutil

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
)

// holes returns m with two of three elements zero.
func holes(m *mat.Dense) *mat.Dense {
	c := mat.DenseCopyOf(m)
	c.Apply(func(i, j int, v float64) float64 {
		if (i*7+j*3)%3 > 0 {
			return 0
		}
		return v
	}, m)
	return c
}

// rowsOnly is sparse rows of another package.
type rowsOnly struct{ s *rkhs.Sparse }

func (m rowsOnly) Dims() (r, c int)                                { return m.s.Dims() }
func (m rowsOnly) At(i, j int) float64                             { return m.s.At(i, j) }
func (m rowsOnly) T() mat.Matrix                                   { return mat.Transpose{Matrix: m} }
func (m rowsOnly) DoRowNonZero(i int, f func(i, j int, v float64)) { m.s.DoRowNonZero(i, f) }

// sparse holds a learner to the same of sparse rows as of the same rows dense, up to the
// rounding that another order of summation brings: predictions of a model of dense rows, and
// the fit with a kernel that is given, as the default one goes by scales of the columns where
// rows are dense. A model of sparse rows is saved and loaded.
func (l Learner[O, M]) sparse(t testing.TB) {
	k := l.task()
	k.x, k.testX = holes(k.x), holes(k.testX)
	options := func() *O {
		o := l.options()
		if l.Kernel != nil {
			l.Kernel(o, kernel.Gaussian{Sigma: 1.5})
		}
		return o
	}
	dense := l.fitWith(t, k.x, k.y, options())
	want := scores(t, dense, k.testX)
	if d := apart(scores(t, dense, Sparse(k.testX)), want); !(d <= 1e-9) {
		t.Errorf("predictions at sparse rows differ by %.3g", d)
	}
	thin := l.fitWith(t, Sparse(k.x), k.y, options())
	got := scores(t, thin, Sparse(k.testX))
	if tolerance := max(l.SparseRounding, 1e-9); !(apart(got, want) <= tolerance) {
		t.Errorf("the fit to sparse rows differs by %.3g, want %.3g at most", apart(got, want), tolerance)
	}
	if !identical(scores(t, l.fitWith(t, rowsOnly{Sparse(k.x)}, k.y, options()), rowsOnly{Sparse(k.testX)}), got) {
		t.Error("sparse rows of another type give other bits")
	}
	loaded := l.Empty()
	checkFile(t, thin, loaded)
	if !identical(predict(t, loaded, Sparse(k.testX)), predict(t, thin, Sparse(k.testX))) {
		t.Error("the loaded model predicts other bits at sparse rows")
	}
	if m := l.fit(t, Sparse(k.x), k.y); math.IsNaN(mat.Sum(predict(t, m, Sparse(k.testX)))) {
		t.Error("the default fit to sparse rows predicts no numbers")
	}
	l.sparseRefused(t, k)
}

// sparseRefused are sparse rows at fault.
func (l Learner[O, M]) sparseRefused(t testing.TB, k task) {
	notFinite, disordered, short := Sparse(k.x), Sparse(k.x), Sparse(k.x)
	notFinite.Values[7] = math.NaN()
	at := 0
	for disordered.Offsets[at+1]-disordered.Offsets[at] < 1 {
		at++
	}
	disordered.Columns[disordered.Offsets[at]] = Inputs
	short.Offsets = short.Offsets[1:]
	l.refuses(t, []refusal{
		{what: "a sparse NaN", x: notFinite, y: k.y, err: rkhs.ErrNotFinite},
		{what: "a column out of range", x: disordered, y: k.y, err: rkhs.ErrShape},
		{what: "too few offsets", x: short, y: k.y, err: rkhs.ErrShape},
	})
}
