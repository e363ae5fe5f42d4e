package polk_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

// skewed returns rows of two inputs with targets on a wave of the given height plus log-normal
// noise.
func skewed(n int, height float64) (x, y *mat.Dense) {
	random := rand.New(rand.NewPCG(3, 4))
	x, y = mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		a, b := random.NormFloat64(), random.NormFloat64()
		x.SetRow(i, []float64{a, b})
		y.Set(i, 0, height*math.Sin(2*a)+math.Exp(1.5*random.NormFloat64()))
	}
	return x, y
}

// given fixes kernel and ridge in tests that do not cover the search.
func given(l loss.Loss, passes int) *polk.Options {
	return &polk.Options{Loss: l, Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-4, Passes: passes}
}

// A fraction tau of the training targets is below the tau-quantile, with and without signal.
func TestCoverage(t *testing.T) {
	testutil.Long(t, "takes seconds")
	for _, height := range []float64{0, 5} {
		x, y := skewed(800, height)
		for _, tau := range []float64{0.01, 0.05, 0.5, 0.95, 0.99} {
			m, err := polk.Fit(context.Background(), x, y, given(loss.Pinball{Tau: tau}, 2))
			if err != nil {
				t.Fatal(err)
			}
			if c := coverage(t, m, x, y); math.Abs(c-tau) > 0.02 {
				t.Errorf("height %g: %.3f of the targets lie below the quantile of %g", height, c, tau)
			}
		}
	}
}

func coverage(t *testing.T, m *polk.Model, x, y *mat.Dense) (fraction float64) {
	t.Helper()
	p, err := m.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := y.Dims()
	for i := range n {
		if y.At(i, 0) <= p.At(i, 0) {
			fraction += 1 / float64(n)
		}
	}
	return fraction
}

// A stream learns its constant from all rows. It must be the quantile of all rows, even if the rows
// that waited have a different distribution.
func TestCoverageOfStream(t *testing.T) {
	const n, first = 6000, 200
	x, y := skewed(n, 0)
	for i := range first {
		y.Set(i, 0, y.At(i, 0)/10)
	}
	for _, tau := range []float64{0.05, 0.5, 0.9} {
		o := given(loss.Pinball{Tau: tau}, 0)
		o.Warmup = first
		l := newLearner(t, *o)
		if err := l.Learn(context.Background(), batches(x, y, 500)); err != nil {
			t.Fatal(err)
		}
		m, err := l.Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		late, lateY := x.Slice(n/2, n, 0, 2).(*mat.Dense), y.Slice(n/2, n, 0, 1).(*mat.Dense)
		if c := coverage(t, m, late, lateY); math.Abs(c-tau) > 0.05 {
			t.Errorf("%.3f of the targets lie below the quantile of %g", c, tau)
		}
	}
}

// Predictions for the squared loss have the mean of the targets, for any ridge and step size.
func TestMeanOfPredictions(t *testing.T) {
	testutil.Long(t, "takes seconds")
	x, y := skewed(600, 3)
	for _, o := range []polk.Options{{Ridge: 1e-6}, {Ridge: 10}, {Paper: polk.Paper{Rate: 0.5}}, {Ridge: 1e-3, Paper: polk.Paper{Schedule: polk.Averaged}}} {
		o.Kernel = kernel.Gaussian{Sigma: 1}
		m, err := polk.Fit(context.Background(), x, y, &o)
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		if off := (mat.Sum(p) - mat.Sum(y)) / 600; math.Abs(off) > 1e-9 {
			t.Errorf("%+v: the mean of the predictions is off by %g", o, off)
		}
	}
}

// One wrong target does no lasting harm, both among waiting rows and later: after some hundreds of
// rows the error is the same as without it.
func TestWrongTarget(t *testing.T) {
	const n = 1600
	x, y := wave(n, 1)
	off := func(bad int) float64 {
		l := newLearner(t, polk.Options{Warmup: 300})
		ys := mat.DenseCopyOf(y)
		if bad >= 0 {
			ys.Set(bad, 0, 1e6)
		}
		if err := l.Learn(context.Background(), batches(x, ys, 400)); err != nil {
			t.Fatal(err)
		}
		m, err := l.Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		p.Sub(p, y)
		return mat.Norm(p, 2) / math.Sqrt(n)
	}
	without := off(-1)
	for _, bad := range []int{100, 900} {
		if with := off(bad); with > 1.5*without+0.01 {
			t.Errorf("RMSE %.4g after a wrong target in row %d, %.4g without", with, bad, without)
		}
	}
}

// Numbers near the bounds of the floating-point range are an error without effect.
func TestRowOutsideRange(t *testing.T) {
	x, y := wave(400, 1)
	l := newLearner(t, polk.Options{Warmup: 300})
	update(t, l, x, y)
	before := marshal(t, l)
	for _, c := range [][2]float64{{0, 1e308}, {1e308, 0}} {
		err := l.Update(mat.NewDense(1, 2, []float64{c[0], 1}), scalar(c[1]))
		if err == nil && c[1] == 0 {
			continue // an outlying row may keep a point of its own
		}
		if !errors.Is(err, rkhs.ErrDiverged) || !bytes.Equal(before, marshal(t, l)) {
			t.Errorf("%v: error %v", c, err)
		}
	}
	m, err := l.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if p, err := m.Predict(x); err != nil || !(mat.Norm(p, 2) < 2*mat.Norm(y, 2)) {
		t.Errorf("the model is of no use, error %v", err)
	}
}

// Units and offsets of the columns do not matter by default.
func TestUnitOfColumns(t *testing.T) {
	testutil.Long(t, "takes seconds")
	const n, train = 900, 600
	random := rand.New(rand.NewPCG(5, 6))
	x, y := mat.NewDense(n, 3, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		a, b, c := random.NormFloat64(), random.NormFloat64(), random.NormFloat64()
		x.SetRow(i, []float64{a, b, c})
		y.Set(i, 0, math.Sin(2*a)+b*c/2+0.2*random.NormFloat64())
	}
	rmse := func(units, shift float64) float64 {
		z := mat.DenseCopyOf(x)
		unit := []float64{1, 1, 1}
		for j := range unit {
			unit[j] = math.Pow(10, math.Round(units*(2*random.Float64()-1)))
		}
		z.Apply(func(_, j int, v float64) float64 { return unit[j] * (v + shift) }, z)
		m, err := polk.Fit(context.Background(), z.Slice(0, train, 0, 3), y.Slice(0, train, 0, 1), nil)
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Predict(z.Slice(train, n, 0, 3))
		if err != nil {
			t.Fatal(err)
		}
		p.Sub(p, y.Slice(train, n, 0, 1))
		return mat.Norm(p, 2) / math.Sqrt(n-train)
	}
	good := rmse(0, 0)
	for _, c := range []struct{ units, shift float64 }{{6, 0}, {6, 1e4}, {0, 1e4}} {
		if e := rmse(c.units, c.shift); math.Abs(e/good-1) > 0.02 {
			t.Errorf("units to 1e±%g, shift %g: RMSE %.4g, in good units %.4g", c.units, c.shift, e, good)
		}
	}
}

// After a cancelled search the model predicts.
func TestCancelledSearch(t *testing.T) {
	x, y := wave(1500, 1)
	stop := errors.New("enough")
	seen := 0
	r := rkhs.RecorderFunc(func(p rkhs.Progress) error {
		if seen++; p.Phase != "search" {
			return fmt.Errorf("phase %q before the search was over", p.Phase)
		}
		return stop
	})
	m, err := polk.Fit(context.Background(), x, y, &polk.Options{Recorder: r})
	if !errors.Is(err, stop) || seen != 1 || m == nil || m.Report().Status != rkhs.Stopped || !m.Report().Search.Stopped {
		t.Fatalf("model %v, error %v after %d reports", m, err, seen)
	}
	if p, err := m.Predict(x); err != nil || !(mat.Norm(p, 2) < math.Inf(1)) {
		t.Errorf("no predictions: %v", err)
	}
}
