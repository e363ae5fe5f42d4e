package doublysgd

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// TestScoresStayThose goes on far beyond the minimum, where moves are rounding: the
// objective that the fit has come to see must be the one of its coefficients, and no
// less than the minimum that a tolerance finds.
func TestScoresStayThose(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it is about figures, and races are looked for elsewhere")
	}
	x, labels := bands(600, 0.2, 4)
	for _, l := range []loss.Loss{loss.Squared{}, loss.SquaredHinge{}, loss.Logistic{}, loss.Softmax{}} {
		for _, blocks := range []int{1, 4} {
			fit := func(passes int, tolerance float64) *Classifier {
				c, err := FitClassifier(context.Background(), x, labels, &Options{Kernel: kernel.Gaussian{Sigma: 1.5}, Ridge: 1e-3, Columns: 256 / blocks,
					Features: 256, Loss: l, Precision: Double, Passes: passes, Tolerance: tolerance})
				if err != nil {
					t.Fatalf("%v in %d blocks: %v", l, blocks, err)
				}
				return c
			}
			least := fit(3000, 1e-9).Report()
			for _, passes := range []int{15, 35, 300} {
				c := fit(passes, 0)
				got, want := c.Report().Objective, trueObjective(t, c, x, labels)
				if math.Abs(got-want) > 1e-10*want || got < least.Objective*(1-1e-10) {
					t.Errorf("%v in %d blocks, %d passes: objective %.12g in the report, %.12g in truth, minimum %.12g", l, blocks, passes, got, want, least.Objective)
				}
			}
			t.Logf("%v in %d blocks: minimum %.9g after %d passes", l, blocks, least.Objective, least.Passes)
		}
	}
}

// trueObjective computes the objective from the scores that the classifier predicts,
// for labels 0, 1, ….
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
