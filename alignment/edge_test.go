package alignment_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// circles draws n rows in d columns. The label is 1 if the first two columns are near the origin.
// Values are multiples of 2⁻¹⁰, so that large shifts are exact.
func circles(n, d int, seed uint64) (x, y *mat.Dense) {
	r := rand.New(rand.NewPCG(seed, 9))
	x, y = mat.NewDense(n, d, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, math.Round(0x1p10*r.NormFloat64())/0x1p10)
		}
		y.Set(i, 0, -1)
		if math.Hypot(x.At(i, 0), x.At(i, d-1)) < 1.1 {
			y.Set(i, 0, 1)
		}
	}
	return x, y
}

// search maximises the alignment.
func search(t testing.TB, x, y mat.Matrix, o alignment.Options) *alignment.Result {
	t.Helper()
	o.Criterion = alignment.Alignment
	r, err := alignment.Search(context.Background(), x, y, &o)
	if err != nil {
		t.Fatal(err)
	}
	checkKernel(t, r, x, o)
	return r
}

// checkKernel checks for positive weights and the trace n.
func checkKernel(t testing.TB, r *alignment.Result, x mat.Matrix, o alignment.Options) {
	t.Helper()
	var diag mat.VecDense
	if err := kernel.Diag(&diag, r.Kernel, x); err != nil {
		t.Fatal(err)
	}
	n, _ := x.Dims()
	if trace := mat.Sum(&diag); o.Epsilon == 0 && !(math.Abs(trace-float64(n)) <= 1e-12*float64(n)) {
		t.Errorf("the trace of %d rows is %v", n, trace)
	}
	for _, k := range r.Kernel {
		if !(k.(kernel.Scale).By > 0) {
			t.Errorf("weight of %v", k)
		}
	}
	if !(r.Alignment >= -1 && r.Alignment <= 1+1e-9) {
		t.Errorf("alignment %v", r.Alignment)
	}
}

// searched lists the families that select their own search range.
func searched() map[string]kernel.Kernel {
	return map[string]kernel.Kernel{
		"Gaussian": kernel.Gaussian{}, "Laplacian": kernel.Laplacian{}, "Matern": kernel.Matern{Nu: 1.5}, "Dirichlet": kernel.Dirichlet{},
		"ARD": kernel.ARD{Of: kernel.Gaussian{}}, "ARD of Matern": kernel.ARD{Of: kernel.Matern{Nu: 2.5}},
	}
}

// shrink returns weights of the penalty for families with a penalty.
func shrink(f kernel.Kernel, weights ...float64) []float64 {
	if gram.Describe(f).Scaled {
		return weights
	}
	return nil
}

func TestNothingToLearn(t *testing.T) {
	x, y := circles(40, 2, 1)
	equal, one := mat.NewDense(40, 2, nil), mat.NewDense(40, 1, nil)
	equal.Apply(func(_, j int, _ float64) float64 { return float64(j) + 0.1 }, equal)
	one.Apply(func(int, int, float64) float64 { return 1 }, one)
	_, err := alignment.Search(context.Background(), equal, y, nil)
	checkError(t, err, rkhs.ErrDomain, "rows of x are equal")
	_, err = alignment.Search(context.Background(), x, one, nil)
	checkError(t, err, rkhs.ErrDomain, "targets are equal")
	_, err = alignment.SearchClasses(context.Background(), x, one, nil)
	checkError(t, err, rkhs.ErrLabels, "1")
	_, err = alignment.FitClassifier(context.Background(), x, one, nil)
	checkError(t, err, rkhs.ErrLabels, "1")
	_, err = alignment.Search(context.Background(), x.Slice(0, 1, 0, 2), y.Slice(0, 1, 0, 1), nil)
	checkError(t, err, rkhs.ErrShape, "single row")
}

// TestConflicts repeats each row with the opposite target. Every kernel is then orthogonal to the
// targets, and the search finds no kernel.
func TestConflicts(t *testing.T) {
	x, y := circles(40, 2, 1)
	var twice, both, opposite mat.Dense
	opposite.Scale(-1, y)
	twice.Stack(x, x)
	both.Stack(y, &opposite)
	for name, f := range searched() {
		r := search(t, &twice, &both, alignment.Options{Family: f, Paper: alignment.Paper{Shrink: shrink(f, 0)}})
		if len(r.Iterations) > 0 || r.Alignment > 1e-6 || len(r.Kernel) != 1 {
			t.Errorf("%s: alignment %v by %v", name, r.Alignment, r.Kernel)
		}
	}
}

func TestTwoRows(t *testing.T) {
	x, y := mat.NewDense(2, 2, []float64{1, 2, 3, 5}), mat.NewDense(2, 1, []float64{-1, 1})
	for name, f := range searched() {
		o := alignment.Options{Family: f}
		// A centred matrix of two rows is a multiple of the centred target matrix.
		if r := search(t, x, y, o); len(r.Iterations) > 0 && !near(r.Alignment, 1, 1e-9) {
			t.Errorf("%s: alignment %v", name, r.Alignment)
		}
		c, err := alignment.FitClassifier(context.Background(), x, y, &o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if e := errorsOf(t, c, x, y); e > 0 {
			t.Errorf("%s: %v %% of two rows are wrong", name, e)
		}
	}
}

// TestOnePositive has a single row of one class.
func TestOnePositive(t *testing.T) {
	x, y := circles(60, 3, 2)
	y.Apply(func(i, _ int, _ float64) float64 { return math.Copysign(1, float64(i)-58.5) }, y)
	x.Set(59, 0, 6)
	for name, f := range searched() {
		o := alignment.Options{Family: f}
		search(t, x, y, o)
		c, err := alignment.FitClassifier(context.Background(), x, y, &o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if e := errorsOf(t, c, x, y); e > 2 {
			t.Errorf("%s: %v %% of the rows are wrong", name, e)
		}
	}
}

// TestShiftAndScale shifts and scales the features. Only the kernels change, accordingly.
func TestShiftAndScale(t *testing.T) {
	x, y := circles(60, 2, 3)
	for name, f := range searched() {
		o := alignment.Options{Family: f, Paper: alignment.Paper{Shrink: shrink(f, 0.01)}}
		want := search(t, x, y, o)
		for _, c := range []struct{ shift, scale float64 }{{1e8, 1}, {-0x1p27, 1}, {0, 1e8}, {0, 1e-8}, {0, 0x1p40}} {
			var changed mat.Dense
			changed.Apply(func(_, _ int, v float64) float64 { return v*c.scale + c.shift }, x)
			got := search(t, &changed, y, o)
			if len(got.Iterations) != len(want.Iterations) || !near(got.Alignment, want.Alignment, 1e-4) {
				t.Errorf("%s, %+v: alignment %v of %d kernels, want %v of %d", name, c, got.Alignment, len(got.Iterations), want.Alignment, len(want.Iterations))
				continue
			}
			for i, s := range got.Iterations {
				by := c.scale
				if name == "Dirichlet" {
					by = 1 / by
				}
				theta, before := kernel.Parameters(s.Kernel)[0].Value, kernel.Parameters(want.Iterations[i].Kernel)[0].Value
				if !near(theta/by, before, 0.005) {
					t.Errorf("%s, %+v: parameter %v, want %v", name, c, theta, by*before)
				}
			}
		}
	}
}

// TestConstantFeatures adds constant columns.
func TestConstantFeatures(t *testing.T) {
	x, y := circles(60, 2, 4)
	wide := mat.NewDense(60, 4, nil)
	for i := range 60 {
		wide.SetRow(i, []float64{x.At(i, 0), 1e6, x.At(i, 1), 0})
	}
	for _, name := range []string{"Gaussian", "Laplacian", "Matern", "ARD"} {
		o := alignment.Options{Family: searched()[name], Paper: alignment.Paper{Shrink: shrink(searched()[name], 0)}}
		got, want := search(t, wide, y, o), search(t, x, y, o)
		if !near(got.Alignment, want.Alignment, 1e-4) {
			t.Errorf("%s: alignment %v, without constant columns %v", name, got.Alignment, want.Alignment)
		}
	}
}

// TestOutlier moves one row to a large distance. The fit to the remaining rows must not change.
func TestOutlier(t *testing.T) {
	testutil.Long(t, "takes seconds")
	x, y := circles(120, 2, 5)
	testX, testY := circles(400, 2, 6)
	for name, f := range searched() {
		o := alignment.Options{Family: f, C: []float64{1, 10, 100}}
		for _, far := range []float64{1e2, 1e6} {
			if name == "Dirichlet" {
				continue // the range of the rows determines its frequencies
			}
			changed := mat.DenseCopyOf(x)
			changed.Set(17, 0, far)
			search(t, changed, y, alignment.Options{Family: f})
			c, err := alignment.FitClassifier(context.Background(), changed, y, &o)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if e := errorsOf(t, c, testX, testY); e > 15 {
				t.Errorf("%s: %v %% errors with an outlier at %v", name, e, far)
			}
		}
	}
}

// TestManyRowsSearchesOnSome searches on a sample and compares with a search on all rows.
func TestManyRowsSearchesOnSome(t *testing.T) {
	x, y := circles(1500, 2, 7)
	all, some := search(t, x, y, alignment.Options{}), search(t, x, y, alignment.Options{Seed: 3, Paper: alignment.Paper{SearchRows: 700}})
	if all.Rows != 1500 || some.Rows != 700 {
		t.Fatalf("searches on %d and %d rows", all.Rows, some.Rows)
	}
	a, b := all.Iterations[0].Kernel.(kernel.Gaussian).Sigma, some.Iterations[0].Kernel.(kernel.Gaussian).Sigma
	if !near(a, b, 0.1) || !near(all.Alignment, some.Alignment, 0.1) {
		t.Errorf("sigma %v and %v, alignment %v and %v", a, b, all.Alignment, some.Alignment)
	}
}

// TestEpsilon covers the pitfall of the initial step in the paper: epsilon changes the weights, but
// not bandwidths and alignment.
func TestEpsilon(t *testing.T) {
	x, y := circles(80, 2, 8)
	a := search(t, x, y, alignment.Options{Paper: alignment.Paper{Epsilon: 1e-10}})
	b := search(t, x, y, alignment.Options{Paper: alignment.Paper{Epsilon: 1e-6}})
	c := search(t, x, y, alignment.Options{})
	for _, o := range []*alignment.Result{b, c} {
		if !near(a.Alignment, o.Alignment, 1e-2) || !near(a.Iterations[0].Kernel.(kernel.Gaussian).Sigma, o.Iterations[0].Kernel.(kernel.Gaussian).Sigma, 1e-9) {
			t.Errorf("alignment %v and %v, first %v and %v", a.Alignment, o.Alignment, a.Iterations[0].Kernel, o.Iterations[0].Kernel)
		}
	}
}

// TestRefit never lowers the alignment and does not change the kernels.
func TestRefit(t *testing.T) {
	raised := 0.0
	for seed := range uint64(5) {
		x, y := circles(80, 2, seed)
		a, b := search(t, x, y, alignment.Options{Paper: alignment.Paper{Tolerance: 1e-4}}), search(t, x, y, alignment.Options{Paper: alignment.Paper{Tolerance: 1e-4, Refit: true}})
		if b.Alignment < a.Alignment || len(b.Iterations) != len(a.Iterations) {
			t.Errorf("alignment %v, with other weights %v", a.Alignment, b.Alignment)
		}
		raised += b.Alignment - a.Alignment
	}
	if raised == 0 {
		t.Error("the weights stay as they were")
	}
}

// checkError reports an error that does not wrap want or omits an expected word.
func checkError(t *testing.T, err, want error, names ...string) {
	t.Helper()
	if !errors.Is(err, want) || !strings.HasPrefix(err.Error(), "alignment: ") {
		t.Errorf("error %v, want one of package alignment that wraps %q", err, want)
		return
	}
	for _, s := range names {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("error %q does not name %q", err, s)
		}
	}
}

// near reports whether a and b agree to the relative tolerance tol.
func near(a, b, tol float64) bool { return math.Abs(a-b) <= tol*math.Max(math.Abs(a), math.Abs(b)) }
