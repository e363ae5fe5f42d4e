package doublysgd

import (
	"context"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// bands returns rows of two columns and labels 0, 1 and 2 separated by a wave. The given
// fraction of the labels is random.
func bands(n int, noise float64, seed uint64) (x, labels *mat.Dense) {
	x, y := waves(n, 0, seed)
	labels = mat.NewDense(n, 1, nil)
	r := rng.New(seed, "labels", 0)
	for i := range n {
		c := third(y.At(i, 0))
		if r.Float64() < noise {
			c = int(3 * r.Float64())
		}
		labels.Set(i, 0, float64(c))
	}
	return x, labels
}

func wrongLabels(t *testing.T, c *Classifier, x, labels mat.Matrix) []float64 {
	t.Helper()
	p, err := c.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := labels.Dims()
	wrong := make([]float64, n)
	for i := range wrong {
		if p.At(i, 0) != labels.At(i, 0) {
			wrong[i] = 1
		}
	}
	return wrong
}

// TestSelectedLoss checks the automatic choice of loss. It must reduce the errors of the squared
// loss if classes are separable, and must not increase them significantly otherwise. If it keeps
// the squared loss, the fit must be the same as with that loss given. Both cases must occur.
func TestSelectedLoss(t *testing.T) {
	testutil.Long(t, "eight searches, about figures; the contract of two classes covers the code")
	kept, left, selectedErrors, squaredErrors := 0, 0, 0.0, 0.0
	seeds := uint64(4)
	if os.Getenv("RKHS_PAPERS") == "" {
		seeds = 2
		t.Log("two seeds: RKHS_PAPERS is not set")
	}
	for seed := range seeds {
		for _, noise := range []float64{0, 0.5} {
			x, labels := bands(1500, noise, 2*seed)
			xt, truth := bands(5000, 0, 2*seed+1)
			fit := func(l loss.Loss) *Classifier {
				c, err := FitClassifier(context.Background(), x, labels, &Options{Features: 256, Loss: l, Seed: seed, Paper: Paper{Columns: 128}})
				if err != nil {
					t.Fatal(err)
				}
				return c
			}
			selected, squared := fit(nil), fit(loss.Squared{})
			a, b := wrongLabels(t, selected, xt, truth), wrongLabels(t, squared, xt, truth)
			t.Logf("noise %v: %v, %v errors, squared %v", noise, selected.Loss(), floats.Sum(a), floats.Sum(b))
			if sharesNormalEquations(selected.Loss()) {
				left++
			} else if kept++; !sameScores(t, selected, squared, xt) {
				t.Errorf("noise %v: the fit of the squared loss is not what it is by itself", noise)
			}
			if more := floats.Sum(a) - floats.Sum(b); more > 0 && more*more > 4*squaredDifferences(a, b) {
				t.Errorf("noise %v: %v errors of %v, %v of the squared loss", noise, floats.Sum(a), selected.Loss(), floats.Sum(b))
			}
			if noise == 0 {
				selectedErrors, squaredErrors = selectedErrors+floats.Sum(a), squaredErrors+floats.Sum(b)
			}
		}
	}
	if kept == 0 || left == 0 {
		t.Errorf("the squared loss was kept %d times, left %d times", kept, left)
	}
	if selectedErrors >= squaredErrors {
		t.Errorf("without noise %v errors, of the squared loss %v", selectedErrors, squaredErrors)
	}
}

// TestHingeObjective computes the objective of the squared hinge from the scores of the
// classifier. Small changes of coefficients must not lower it at the minimum.
func TestHingeObjective(t *testing.T) {
	const n, nu = 400, 1e-3
	x, labels := bands(n, 0.2, 3)
	c, err := FitClassifier(context.Background(), x, labels, &Options{Kernel: kernel.Gaussian{Sigma: 1.5}, Ridge: nu, Features: 64, Loss: loss.SquaredHinge{}, Tolerance: 1e-9, Paper: Paper{Columns: 32, Precision: Double, Passes: 5000}})
	if err != nil {
		t.Fatal(err)
	}
	objective := func() float64 { return trueObjective(t, c, x, labels) }
	least := objective()
	if got := c.Report().Objective; math.Abs(got-least) > 1e-12 {
		t.Errorf("objective %.15g in the report, %.15g", got, least)
	}
	for i := range c.model.f.features.Blocks[1].Data {
		at := &c.model.f.features.Blocks[1].Data[i]
		was := *at
		for _, h := range []float64{-1e-3, 1e-3} {
			*at = was + h
			if got := objective(); got < least {
				t.Errorf("coefficient %d: objective %.15g next to a minimum of %.15g", i, got, least)
			}
		}
		*at = was
	}
}

// sameScores reports whether scores are equal up to rounding.
func sameScores(t *testing.T, a, b *Classifier, x mat.Matrix) bool {
	t.Helper()
	f, err := a.Scores(x)
	if err != nil {
		t.Fatal(err)
	}
	g, err := b.Scores(x)
	if err != nil {
		t.Fatal(err)
	}
	return mat.EqualApprox(f, g, 1e-13)
}

// trueObjective computes the objective from the predicted scores, for labels 0, 1, ….
func trueObjective(t *testing.T, c *Classifier, x, labels mat.Matrix) float64 {
	t.Helper()
	f, err := c.Scores(x)
	if err != nil {
		t.Fatal(err)
	}
	n, q := f.Dims()
	sum := 0.0
	for i := range n {
		class := int(labels.At(i, 0))
		if m, ok := c.Loss().(loss.Multiclass); ok {
			sum += m.Value(f.RawRowView(i), class)
			continue
		}
		for k := range q {
			target := -1.0
			if class == k {
				target = 1
			}
			sum += c.Loss().(loss.Scalar).Value(f.At(i, k), target)
		}
	}
	e := c.model.f.features
	return sum/float64(n) + c.Report().Ridge/2*float64(e.Count())*e.SquaredNorm()
}
