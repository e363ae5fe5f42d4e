package doublysgd_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/internal/testutil"
)

// TestLearnerCuts checks that the result does not depend on the batches, for regression and
// classification.
func TestLearnerCuts(t *testing.T) {
	x, y := sine(400)
	signs := mat.DenseCopyOf(y)
	signs.Apply(func(_, _ int, v float64) float64 { return math.Copysign(1, v) }, signs)
	for _, mode := range []doublysgd.Mode{doublysgd.Newton, doublysgd.Plain} {
		o := doublysgd.Options{Features: 64, Seed: 5, Paper: doublysgd.Paper{Mode: mode, Columns: 16, Batch: 30}}
		testutil.Cut[*doublysgd.Learner, *doublysgd.Model]{
			Start: func(workers int) (*doublysgd.Learner, error) {
				o := o
				o.Workers = workers
				return doublysgd.NewLearner(&o)
			},
			Empty:  func() *doublysgd.Learner { return new(doublysgd.Learner) },
			Update: (*doublysgd.Learner).Update, Model: (*doublysgd.Learner).Model, X: x, Y: y, Test: x,
		}.Check(t)
		testutil.Cut[*doublysgd.ClassLearner, *doublysgd.Classifier]{
			Start: func(workers int) (*doublysgd.ClassLearner, error) {
				o := o
				o.Workers = workers
				return doublysgd.NewClassLearner([]int{-1, 1}, &o)
			},
			Empty:  func() *doublysgd.ClassLearner { return new(doublysgd.ClassLearner) },
			Update: (*doublysgd.ClassLearner).Update, Model: (*doublysgd.ClassLearner).Model, X: x, Y: signs, Test: x,
		}.Check(t)
	}
}
