package testutil

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/door"
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

// onSparseRows is the learner that is given the rows of every fit as sparse rows, so that the
// battery runs on these too. How long a large fit takes is not asked for again.
func (l Learner[O, M]) onSparseRows() Learner[O, M] {
	fit := l.Fit
	l.Fit = func(ctx context.Context, x, y mat.Matrix, opts *O) (M, error) { return fit(ctx, thin(x), y, opts) }
	l.LargeRows = 0
	return l
}

// thin returns the rows of m as sparse rows, with their weights, and m itself where it has no
// rows to read.
func thin(m mat.Matrix) (rows mat.Matrix) {
	defer func() {
		if recover() != nil {
			rows = m
		}
	}()
	if door.IsSparse(m) {
		return m
	}
	switch w := m.(type) {
	case rkhs.Weighted:
		return rkhs.Weighted{Matrix: thin(w.Matrix), Weights: w.Weights}
	case *rkhs.Weighted:
		return &rkhs.Weighted{Matrix: thin(w.Matrix), Weights: w.Weights}
	}
	return Sparse(m)
}

// sparse holds a learner to the same of sparse rows as of the same rows dense, up to the
// rounding that another order of summation brings: predictions of a model of dense rows, and
// the fit with a kernel that is given, as the default one goes by scales of the columns where
// rows are dense. A model of sparse rows is saved and loaded.
func (l Learner[O, M]) sparse(t testing.TB) {
	k := l.task()
	k.x, k.testX = holes(k.x), holes(k.testX)
	given := l.Kernel != nil
	options := func() *O {
		o := l.options()
		if given {
			l.Kernel(o, kernel.Gaussian{Sigma: 1.5})
		}
		return o
	}
	if _, err := l.Fit(context.Background(), k.x, k.y, options()); errors.Is(err, rkhs.ErrOption) {
		given = false // the other options are for another kernel
	}
	dense := l.fitWith(t, k.x, k.y, options())
	want := scores(t, dense, k.testX)
	if d := apart(scores(t, dense, Sparse(k.testX)), want); !(d <= 1e-9) {
		t.Errorf("predictions at sparse rows differ by %.3g", d)
	}
	thin := l.fitWith(t, Sparse(k.x), k.y, options())
	got := scores(t, thin, Sparse(k.testX))
	if tolerance := max(l.SparseRounding, 1e-9); given && !(apart(got, want) <= tolerance) {
		t.Errorf("the fit to sparse rows differs by %.3g, want %.3g at most", apart(got, want), tolerance)
	}
	if !identical(scores(t, l.fitWith(t, rowsOnly{Sparse(k.x)}, k.y, options()), rowsOnly{Sparse(k.testX)}), got) {
		t.Error("sparse rows of another type give other bits")
	}
	byDefault, loaded := l.fit(t, Sparse(k.x), k.y), l.Empty()
	checkFile(t, byDefault, loaded)
	if !identical(predict(t, loaded, Sparse(k.testX)), predict(t, byDefault, Sparse(k.testX))) {
		t.Error("the loaded model predicts other bits at sparse rows")
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

// sparse holds a learner to taking in sparse batches, or sparse and dense ones in turn, and to
// going on from a file in between as if nothing had happened.
func (l Stream[S, M]) sparse(t testing.TB) {
	k := l.task()
	k.x, k.testX = holes(k.x), holes(k.testX)
	for _, every := range []int{1, 2, 3} {
		s, again := l.start(t, 0), l.start(t, 0)
		for i, b := range k.batches() {
			var x mat.Matrix = b.x
			if i%every == 0 {
				x = Sparse(b.x)
			}
			l.update(t, s, x, b.y)
			l.update(t, again, x, b.y)
			loaded := l.Empty()
			checkFile(t, again, loaded)
			again = loaded
		}
		m := l.model(t, s)
		if !identical(predict(t, m, Sparse(k.testX)), predict(t, l.model(t, again), Sparse(k.testX))) {
			t.Errorf("a learner that is saved after each batch, one of %d sparse, learns something else", every)
		}
		if math.IsNaN(mat.Sum(predict(t, m, Sparse(k.testX)))) {
			t.Error("no numbers are predicted")
		}
	}
}
