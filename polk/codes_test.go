package polk_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

// threeClasses returns weighted rows of the plane in three bands with labels 3, 5 and 7, some of them wrong.
func threeClasses(n int, seed uint64) (x, labels *mat.Dense, weights []float64) {
	r := rand.New(rand.NewPCG(seed, 1))
	x, labels, weights = mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil), make([]float64, n)
	for i := range n {
		x.SetRow(i, []float64{r.Float64(), r.Float64()})
		band := int(3 * (x.At(i, 0) + .3*x.At(i, 1)) / 1.3)
		if r.Float64() < .1 {
			band = r.IntN(3)
		}
		labels.Set(i, 0, float64(3+2*band))
		weights[i] = float64(1 + i%3)
	}
	return x, labels, weights
}

// A classifier ends with least squares on codes over the dictionary. Residuals must be
// orthogonal to constants, and to the kernel at each point up to the ridge term:
//
//	Σ_i w_i·(f(x_i) − y_i)·k(d_j, x_i) + n·lam·(f(d_j) − b) = 0.
func TestLabelsEndWithLeastSquares(t *testing.T) {
	const n, ridge = 201, 1e-3 // weights of mean 2
	k := kernel.Gaussian{Sigma: .3}
	x, labels, weights := threeClasses(n, 3)
	c, err := polk.FitClassifier(context.Background(), rkhs.Weighted{Matrix: x, Weights: weights}, labels, &polk.Options{Kernel: k, Ridge: ridge, MaxPoints: 30})
	if err != nil {
		t.Fatal(err)
	}
	if _, squared := c.Report().Loss.(loss.Squared); !squared {
		t.Errorf("the loss of the weights is %v", c.Report().Loss)
	}
	points := c.Model().Expansion().Points
	f, at := scores(t, c, x), scores(t, c, points)
	for class, label := range c.Labels() {
		sum, m := 0.0, c.Model().ModelOrder()
		slopes := make([]float64, m)
		for i := range n {
			code := -1.0
			if labels.At(i, 0) == float64(label) {
				code = 1
			}
			left := weights[i] / 2 * (f.At(i, class) - code)
			sum += left
			for j := range slopes {
				slopes[j] += left * k.Eval(x.RawRowView(i), mat.Row(nil, j, points))
			}
		}
		for j, slope := range slopes {
			if slope += n * ridge * (at.At(j, class) - c.Model().Intercept()[class]); math.Abs(slope) > 1e-6 {
				t.Errorf("label %d, point %d: the slope is %v", label, j, slope)
			}
		}
		if math.Abs(sum) > 1e-9 {
			t.Errorf("label %d: residuals sum up to %v", label, sum)
		}
	}
}

// If one of two merged classifiers lacks a class, its score there is −1, as in least squares for
// a class without rows.
func TestMergedLeastSquaresOfAnUnknownClass(t *testing.T) {
	x, labels, _ := threeClasses(300, 5)
	few, fewLabels := mat.NewDense(300, 2, nil), mat.NewDense(300, 1, nil)
	n := 0
	for i := range 300 {
		if labels.At(i, 0) != 7 {
			few.SetRow(n, x.RawRowView(i))
			fewLabels.Set(n, 0, labels.At(i, 0))
			n++
		}
	}
	o := polk.Options{Kernel: kernel.Gaussian{Sigma: .3}, Ridge: 1e-3, Passes: 2, MaxPoints: 20}
	fit := func(x, y mat.Matrix) *polk.Classifier {
		c, err := polk.FitClassifier(context.Background(), x, y, &o)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	all, part := fit(x, labels), fit(few.Slice(0, n, 0, 2), fewLabels.Slice(0, n, 0, 1))
	merged, _, err := polk.MergeClassifiers([]*polk.Classifier{all, part}, 0)
	if err != nil {
		t.Fatal(err)
	}
	of, got := scores(t, all, x), scores(t, merged, x)
	share := 300 / float64(300+n)
	for i := range 300 {
		if want := share*of.At(i, 2) - (1 - share); math.Abs(got.At(i, 2)-want) > 1e-6 {
			t.Fatalf("row %d: the score is %v, want %v", i, got.At(i, 2), want)
		}
	}
}

func scores(t *testing.T, c *polk.Classifier, x mat.Matrix) *mat.Dense {
	t.Helper()
	f, err := c.Scores(x)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// If rows repeat with different labels, predictions must be the majority label. Stochastic steps
// without the final least squares failed this.
func TestRepeatedRowsGetTheirMostFrequentLabel(t *testing.T) {
	share := []float64{.15, .3, .7, .2, .85, .35}
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 2))
		x, y := mat.NewDense(900, 2, nil), mat.NewDense(900, 1, nil)
		ones := make([]float64, len(share))
		for i := range 900 {
			number := min(int(r.ExpFloat64()), len(share)-1) // unequal frequencies
			x.SetRow(i, []float64{float64(number % 3), float64(number / 3)})
			if r.Float64() < share[number] {
				y.Set(i, 0, 1)
			}
			ones[number] += 2*y.At(i, 0) - 1
		}
		c, err := polk.FitClassifier(context.Background(), x, y, &polk.Options{Kernel: kernel.Gaussian{Sigma: .4}, Ridge: 1e-5, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		for number, sum := range ones {
			var label [1]float64
			if err := c.PredictRow(label[:], []float64{float64(number % 3), float64(number / 3)}); err != nil {
				t.Fatal(err)
			}
			if math.Abs(sum) > 10 && (label[0] == 1) != (sum > 0) {
				t.Errorf("seed %d: place %d has the label %v, the labels there sum up to %v", seed, number, label[0], sum)
			}
		}
	}
}

// A fit stopped during leave-one-out reports this and returns its current model.
func TestStoppedDuringLeaveOneOut(t *testing.T) {
	x, labels, _ := threeClasses(60, 6)
	stop := errors.New("enough")
	c, err := polk.FitClassifier(context.Background(), x, labels, &polk.Options{Kernel: kernel.Gaussian{Sigma: .3}, Ridge: 1e-3, Recorder: rkhs.RecorderFunc(func(p rkhs.Progress) error {
		if p.Phase == "leave one out" {
			return stop
		}
		return nil
	})})
	if !errors.Is(err, stop) || c == nil || c.Report().Status != rkhs.Stopped {
		t.Fatalf("%v, %v", err, c)
	}
	if _, squared := c.Report().Loss.(loss.Squared); !squared || c.Model().ModelOrder() == 0 {
		t.Errorf("%v with %d points", c.Report().Loss, c.Model().ModelOrder())
	}
}

// An explicit Rate or Loss disables the final least squares. The default loss given by name does not.
func TestStepsAloneWithARate(t *testing.T) {
	x, labels, _ := threeClasses(80, 7)
	var want []byte
	for _, l := range []loss.Loss{loss.MulticlassHinge{}, nil} {
		c, err := polk.FitClassifier(context.Background(), x, labels, &polk.Options{Loss: l, Metric: kernel.NoMetric, Passes: 2, Paper: polk.Paper{Rate: 1}})
		if err != nil {
			t.Fatal(err)
		}
		got := marshal(t, c)
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Error("the default loss by name makes another model")
		}
	}
}
