package slkl_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

// meanSquare returns the mean squared difference of two matrices.
func meanSquare(a, b mat.Matrix) float64 {
	var d mat.Dense
	d.Sub(a, b)
	r, c := d.Dims()
	return math.Pow(mat.Norm(&d, 2), 2) / float64(r*c)
}

// TestMeanOfPredictions checks that the constant has no penalty: the residuals of the
// training rows add up to zero for any noise and penalty.
func TestMeanOfPredictions(t *testing.T) {
	x, y := sample(250, 3, 2, 5)
	y.Apply(func(_, o int, v float64) float64 { return math.Exp(v) + 100*float64(o) }, y)
	for name, o := range map[string]slkl.Options{
		"default": {},
		"penalty": {Kernels: base().Kernels, Penalty: 5},
		"noise":   {Kernels: base().Kernels, Noise: 3, Penalty: 5},
	} {
		f := predict(t, fit(t, x, y, o), x)
		for k := range 2 {
			got, want := mat.Sum(f.ColView(k))/250, mat.Sum(y.ColView(k))/250
			if !near(got, want, 1e-6) {
				t.Errorf("%s: mean of output %d is %v, that of the targets %v", name, k, got, want)
			}
		}
	}
}

// TestUnits multiplies columns by powers of ten and shifts them by 10⁴ of their spread.
func TestUnits(t *testing.T) {
	testutil.Long(t, "takes seconds")
	x, y := sample(500, 3, 1, 6)
	test, truth := sample(500, 3, 1, 7)
	other := func(x *mat.Dense) *mat.Dense {
		z := mat.DenseCopyOf(x)
		z.Apply(func(_, j int, v float64) float64 { return (v + 1e4*float64(j-1)) * math.Pow10(6*(j-1)) }, z)
		return z
	}
	want := math.Sqrt(meanSquare(predict(t, fit(t, x, y, slkl.Options{}), test), truth))
	got := math.Sqrt(meanSquare(predict(t, fit(t, other(x), y, slkl.Options{}), other(test)), truth))
	if !near(got, want, 0.02) || want > 0.3 {
		t.Errorf("error %.4g in other units, %.4g as they were", got, want)
	}
}

// TestNoiseIsRidgeRegression compares a fit with a negligible penalty and a landmark at every row
// with ridge regression with an unpenalised constant.
func TestNoiseIsRidgeRegression(t *testing.T) {
	const n, noise = 60, 0.3
	x, y := sample(n, 3, 1, 8)
	k := kernel.Gaussian{Sigma: 1.5}
	system, target := mat.NewDense(n+1, n+1, nil), mat.NewDense(n+1, 1, nil)
	for i := range n {
		for j := range n {
			system.Set(i, j, k.Eval(x.RawRowView(i), x.RawRowView(j)))
		}
		system.Set(i, i, 1+noise)
		system.Set(i, n, 1)
		system.Set(n, i, 1)
		target.Set(i, 0, y.At(i, 0))
	}
	var a, want mat.Dense
	if err := a.Solve(system, target); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		system.Set(i, i, 1)
	}
	want.Mul(system.Slice(0, n, 0, n+1), &a)
	m := fit(t, x, y, slkl.Options{Kernels: []kernel.Kernel{k}, Points: x, Noise: noise, Penalty: 1e-20})
	if d := far(predict(t, m, x), &want); !(d <= 1e-6) {
		t.Errorf("predictions differ by %.1e from those of ridge regression", d)
	}
	if r := m.Report(); r.Noise != noise || r.Search.Kernel != nil {
		t.Errorf("report %+v", r)
	}
}

// TestReportOfTheSearch fits again with the selected options.
func TestReportOfTheSearch(t *testing.T) {
	x, y := sample(300, 3, 1, 9)
	m := fit(t, x, y, slkl.Options{MaxPoints: 100})
	r := m.Report()
	if r.Search.Kernel == nil || len(r.Search.Curve) < 10 || !kernel.Equal(r.Kernels[0], r.Search.Kernel) || !(r.Noise > 0) {
		t.Fatalf("report %+v", r)
	}
	if !(r.Search.Error >= r.Search.Exact.Error) {
		t.Errorf("100 landmarks reach the error %v, the kernel itself %v", r.Search.Error, r.Search.Exact.Error)
	}
	again := fit(t, x, y, slkl.Options{Kernels: r.Kernels, Noise: r.Noise, Penalty: r.Outputs[0].Penalty, Paper: slkl.Paper{PointRows: r.PointRows}})
	if d := far(predict(t, again, x), predict(t, m, x)); !(d <= 1e-5) {
		t.Errorf("with the selected options given, predictions differ by %.1e", d)
	}
	if e := meanSquare(predict(t, m, x), y); !(e < 0.05) {
		t.Errorf("mean squared error %.3g", e)
	}
}

// TestSparseWhereThatIsFree uses many more landmarks than the function needs. The model must drop
// most of them and predict as well as ridge regression on all of them.
func TestSparseWhereThatIsFree(t *testing.T) {
	x, y := sample(2000, 2, 1, 14)
	test, truth := sample(2000, 2, 1, 15)
	for i, targets := range []*mat.Dense{y, truth} {
		noise, _ := sample(2000, 1, 1, uint64(16+i))
		targets.Add(targets, noise)
	}
	o := slkl.Options{MaxPoints: 300, Kernels: []kernel.Kernel{kernel.Gaussian{Sigma: 1.5}}, Noise: 0.1}
	m := fit(t, x, y, o)
	o.Penalty = 1e-20
	all := fit(t, x, y, o)
	if r := m.Report().Outputs[0]; m.ModelOrder() > 150 || all.ModelOrder() != 300 || r.AtEdge {
		t.Errorf("%d columns, of a penalty near 0 %d; report %+v", m.ModelOrder(), all.ModelOrder(), r)
	}
	if got, want := meanSquare(predict(t, m, test), truth), meanSquare(predict(t, all, test), truth); !(got < 1.02*want) {
		t.Errorf("mean squared error %.4g, of ridge regression %.4g", got, want)
	}
}

// TestManyOutputsAreRidgeRegression has more outputs than are searched: no output loses a column,
// and the certificate holds without a step.
func TestManyOutputsAreRidgeRegression(t *testing.T) {
	x, y := sample(300, 2, 6, 16)
	m := fit(t, x, y, slkl.Options{MaxPoints: 40})
	for o, r := range m.Report().Outputs {
		if r.ModelOrder != m.ModelOrder() || !(r.RelativeGap() <= 1e-9) || r.Status != rkhs.Converged || r.AtEdge || !(r.Penalty > 0) {
			t.Errorf("output %d: %+v", o, r)
		}
	}
}

// TestEdgeOfTheGrid uses grids that end before the lowest error.
func TestEdgeOfTheGrid(t *testing.T) {
	x, y := sample(200, 3, 1, 10)
	for _, c := range []struct {
		grid []float64
		edge bool
	}{{[]float64{0.5, 0.1}, true}, {[]float64{0.5, 0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9}, false}} {
		o := slkl.Options{Kernels: base().Kernels, MaxPoints: 60, Paper: slkl.Paper{PenaltyGrid: c.grid}}
		y := mat.DenseCopyOf(y)
		noise, _ := sample(200, 1, 1, 11)
		y.Add(y, noise)
		if r := fit(t, x, y, o).Report().Outputs[0]; r.AtEdge != c.edge {
			t.Errorf("grid %v: AtEdge is %v at %g of the largest penalty", c.grid, r.AtEdge, r.Penalty/r.PenaltyMax)
		}
	}
}

// TestStopDuringTheSearch stops a fit during the search. The model must still have used some rows.
func TestStopDuringTheSearch(t *testing.T) {
	x, y := sample(400, 3, 1, 12)
	stop := errors.New("stop")
	var mean mat.Dense
	mean.Apply(func(int, int, float64) float64 { return mat.Sum(y) / 400 }, y)
	for _, phase := range []string{"search", "rows", "noise", "penalty"} {
		reports := 0
		o := slkl.Options{MaxPoints: 100, Recorder: rkhs.RecorderFunc(func(p rkhs.Progress) error {
			if p.Phase != phase {
				return nil
			}
			reports++
			return stop
		})}
		m, err := slkl.Fit(context.Background(), x, y, &o)
		if !errors.Is(err, stop) || reports != 1 {
			t.Fatalf("%s: error %v after %d reports", phase, err, reports)
		}
		if got, none := meanSquare(predict(t, m, x), y), meanSquare(&mean, y); !(got < none/2) {
			t.Errorf("stopped in %q the model has mean squared error %.3g, the mean %.3g", phase, got, none)
		}
		if s := m.Report().Outputs[0].Status; s != rkhs.Stopped {
			t.Errorf("%s: status %v", phase, s)
		}
	}
}

// TestFileOfASearch writes and reads a model with all options selected by the fit.
func TestFileOfASearch(t *testing.T) {
	x, y := sample(120, 3, 1, 13)
	m := fit(t, x, y, slkl.Options{})
	var read slkl.Model
	if err := read.UnmarshalBinary(marshal(t, m)); err != nil {
		t.Fatal(err)
	}
	a, b := m.Report(), read.Report()
	if a.Noise != b.Noise || a.Outputs[0] != b.Outputs[0] || !kernel.Equal(a.Search.Kernel, b.Search.Kernel) || len(a.Search.Curve) != len(b.Search.Curve) {
		t.Errorf("report %+v, that of the file %+v", a, b)
	}
}
