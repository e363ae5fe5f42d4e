package doublysgd_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// skewed draws rows of three columns and log-normal targets. Their size depends on the first
// column by the given amount.
func skewed(n int, signal float64, seed uint64) (x, y *mat.Dense) {
	draw := rng.New(seed, "skewed", 0)
	x, y = mat.NewDense(n, 3, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		for j := range 3 {
			x.Set(i, j, draw.NormFloat64())
		}
		y.Set(i, 0, math.Exp(signal*math.Sin(2*x.At(i, 0))+draw.NormFloat64()))
	}
	return x, y
}

// fits returns the fits and streams of each mode, all of which fit a constant.
func fits() map[string]func(x, y mat.Matrix, l loss.Loss) (*doublysgd.Model, error) {
	list := map[string]func(x, y mat.Matrix, l loss.Loss) (*doublysgd.Model, error){}
	add := func(name string, o doublysgd.Options) {
		list[name] = func(x, y mat.Matrix, l loss.Loss) (*doublysgd.Model, error) {
			o := o
			o.Loss = l
			return doublysgd.Fit(context.Background(), x, y, &o)
		}
	}
	for _, ridge := range []float64{1e-8, 1e-3, 1e3} {
		add(fmt.Sprintf("ridge %v", ridge), doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 2}, Features: 256, Ridge: ridge, Paper: doublysgd.Paper{Columns: 64}})
	}
	for _, mode := range []doublysgd.Mode{doublysgd.Newton, doublysgd.Plain} {
		add(mode.String(), doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 2}, Paper: doublysgd.Paper{Mode: mode}})
		list[mode.String()+" stream"] = func(x, y mat.Matrix, l loss.Loss) (*doublysgd.Model, error) {
			s, err := doublysgd.NewLearner(&doublysgd.Options{Loss: l, Paper: doublysgd.Paper{Mode: mode}})
			if err != nil {
				return nil, err
			}
			if err := s.Update(x, y); err != nil {
				return nil, err
			}
			return s.Model(context.Background())
		}
	}
	return list
}

// coverage returns the fraction of targets that are at most f.
func coverage(t *testing.T, m *doublysgd.Model, x, y *mat.Dense) float64 {
	t.Helper()
	f, err := m.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	below, n := 0, x.RawMatrix().Rows
	for i := range n {
		if y.At(i, 0) <= f.At(i, 0) {
			below++
		}
	}
	return float64(below) / float64(n)
}

// ownQuantile is a user-defined loss.
type ownQuantile struct{ loss.Pinball }

// TestQuantilesCover checks that a quantile covers its fraction of the training targets, for any
// ridge, with and without signal. Short tests use one quantile with signal.
func TestQuantilesCover(t *testing.T) {
	signals, taus := []float64{0, 1.5}, []loss.Pinball{{Tau: .01}, {Tau: .05}, {Tau: .5}, {Tau: .95}, {Tau: .99}}
	if !testutil.LongTests() {
		signals, taus = signals[1:], taus[3:4]
	}
	for _, signal := range signals {
		x, y := skewed(1500, signal, 1)
		for _, l := range taus {
			for name, fit := range fits() {
				var given loss.Loss = l
				if l.Tau == .95 {
					given = ownQuantile{l}
				}
				m, err := fit(x, y, given)
				if err != nil {
					t.Fatal(err)
				}
				if c := coverage(t, m, x, y); math.Abs(c-l.Tau) > .002 {
					t.Errorf("signal %v, %s: the quantile %v covers %.4f", signal, name, l.Tau, c)
				}
			}
		}
	}
}

// TestStreamsCover checks the coverage on a stream with more rows than the learner retains.
func TestStreamsCover(t *testing.T) {
	testutil.Long(t, "it is about figures")
	x, y := skewed(12000, 1.5, 3)
	for _, tau := range []float64{.05, .5, .95} {
		for _, name := range []string{"Newton stream", "Plain stream"} {
			m, err := fits()[name](x, y, loss.Pinball{Tau: tau})
			if err != nil {
				t.Fatal(err)
			}
			if c := coverage(t, m, x, y); math.Abs(c-tau) > .02 {
				t.Errorf("%s: the quantile %v covers %.4f", name, tau, c)
			}
		}
	}
}

// TestQuantilesGeneralise checks the coverage of new rows with the selected ridge, for three
// quantiles, or five with RKHS_PAPERS.
func TestQuantilesGeneralise(t *testing.T) {
	testutil.Long(t, "a dozen searches, about figures; TestQuantiles covers the code")
	const n = 1500
	quantiles := []float64{.05, .5, .99}
	if os.Getenv("RKHS_PAPERS") != "" {
		quantiles = []float64{.01, .05, .5, .95, .99}
	}
	for _, signal := range []float64{0, 1.5} {
		x, y := skewed(n, signal, 4)
		xt, yt := skewed(10000, signal, 5)
		for _, tau := range quantiles {
			m, err := doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Loss: loss.Pinball{Tau: tau}, Features: 1024})
			if err != nil {
				t.Fatal(err)
			}
			c, noise := coverage(t, m, xt, yt), math.Sqrt(tau*(1-tau)*(1./n+1./10000))
			t.Logf("signal %v: the quantile %v covers %.4f, %.1f standard errors off", signal, tau, c, (c-tau)/noise)
			if math.Abs(c-tau) > 3*noise {
				t.Errorf("signal %v: the quantile %v covers %.4f of new rows", signal, tau, c)
			}
		}
	}
}

// TestMeanIsUnbiased checks that predictions under the squared loss average to the targets.
func TestMeanIsUnbiased(t *testing.T) {
	x, y := skewed(1500, 1.5, 6)
	mean, spread := moments(y)
	for name, fit := range fits() {
		m, err := fit(x, y, loss.Squared{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := moments(f); math.Abs(got-mean) > 1e-6*spread {
			t.Errorf("%s: the mean of the predictions is %v, that of the targets %v", name, got, mean)
		}
	}
}

func moments(v *mat.Dense) (mean, deviation float64) {
	d := v.RawMatrix().Data
	for _, x := range d {
		mean += x / float64(len(d))
	}
	for _, x := range d {
		deviation += (x - mean) * (x - mean) / float64(len(d))
	}
	return mean, math.Sqrt(deviation)
}

// TestProbabilitiesAreUnbiased checks that the mean probability of a label is its frequency,
// for rare labels and large ridges too.
func TestProbabilitiesAreUnbiased(t *testing.T) {
	x, y := skewed(1500, 1.5, 7)
	for _, c := range []struct {
		loss  loss.Loss
		bound []float64 // between labels
	}{{loss.Logistic{}, []float64{8}}, {loss.Softmax{}, []float64{1, 8}}} {
		labels := mat.NewDense(1500, 1, nil)
		share := make([]float64, len(c.bound)+1)
		for i := range 1500 {
			k := 0
			for k < len(c.bound) && y.At(i, 0) > c.bound[k] {
				k++
			}
			labels.Set(i, 0, float64(k))
			share[k] += 1. / 1500
		}
		for _, ridge := range []float64{1e-4, 1e3} {
			m, err := doublysgd.FitClassifier(context.Background(), x, labels, &doublysgd.Options{Loss: c.loss, Kernel: kernel.Gaussian{Sigma: 2}, Features: 256, Ridge: ridge, NoCalibration: true, Paper: doublysgd.Paper{Columns: 64, Passes: 5, Precision: doublysgd.Double}})
			if err != nil {
				t.Fatal(err)
			}
			p, err := m.Proba(x)
			if err != nil {
				t.Fatal(err)
			}
			for k, want := range share {
				got := 0.0
				for i := range 1500 {
					got += p.At(i, k) / 1500
				}
				if math.Abs(got-want) > 1e-6 {
					t.Errorf("%v, ridge %v: the mean probability of label %d is %.8f, its share %.8f", c.loss, ridge, k, got, want)
				}
			}
		}
	}
}

// TestWildTargets checks that one outlier at any place of a stream has little effect, and that the
// learner adapts to a new level.
func TestWildTargets(t *testing.T) {
	x, y := mat.NewDense(1000, 1, nil), mat.NewDense(1000, 1, nil)
	for i, at := range rng.New(1, "wild", 0).Perm(1000) {
		x.Set(i, 0, float64(at)/100)
		y.Set(i, 0, math.Sin(x.At(i, 0)))
	}
	for _, mode := range []doublysgd.Mode{doublysgd.Newton, doublysgd.Plain} {
		off := func(at int, value float64) float64 {
			wild := mat.DenseCopyOf(y)
			wild.Set(at, 0, value)
			l, err := doublysgd.NewLearner(&doublysgd.Options{Paper: doublysgd.Paper{Mode: mode, Columns: 64, Batch: 64}})
			if err != nil {
				t.Fatal(err)
			}
			for from := 0; from < 1000; from += 50 {
				if err := l.Update(x.Slice(from, from+50, 0, 1), wild.Slice(from, from+50, 0, 1)); err != nil {
					t.Fatal(err)
				}
			}
			m, err := l.Model(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			f, err := m.Predict(x)
			if err != nil {
				t.Fatal(err)
			}
			return rmse(f, y)
		}
		clean := off(0, y.At(0, 0))
		for _, at := range []int{3, 500, 999} {
			for _, value := range []float64{1e6, -1e6, 1e308, -math.MaxFloat64} {
				if e := off(at, value); !(e < 1.1*clean+0.01) {
					t.Errorf("%v: %g in row %d leaves an error of %.3g, without it %.3g", mode, value, at, e, clean)
				}
			}
		}
		t.Logf("%v: %.4f", mode, clean)
	}
}

// TestWildRows checks that a row with infinite features is an error or has no effect.
func TestWildRows(t *testing.T) {
	for _, mode := range []doublysgd.Mode{doublysgd.Newton, doublysgd.Plain} {
		for _, at := range []int{3, 500} {
			x, y := skewed(1000, 1, 1)
			wild := mat.DenseCopyOf(x)
			wild.Set(at, 0, 1e308)
			l, err := doublysgd.NewLearner(&doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 1}, Paper: doublysgd.Paper{Mode: mode, Columns: 64, Batch: 64}})
			if err != nil {
				t.Fatal(err)
			}
			if l.Update(wild, y) != nil { // the learner is unchanged
				if err := l.Update(x, y); err != nil {
					t.Fatal(err)
				}
			}
			m, err := l.Model(context.Background())
			if err != nil {
				t.Fatalf("%v, row %d: %v", mode, at, err)
			}
			f, err := m.Predict(x)
			if err != nil {
				t.Fatal(err)
			}
			if _, spread := moments(y); !(rmse(f, y) < spread) {
				t.Errorf("%v, row %d: error %.3g, that of a constant %.3g", mode, at, rmse(f, y), spread)
			}
		}
	}
}
