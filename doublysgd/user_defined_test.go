package doublysgd_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/loss"
)

// mine is a user-defined copy of the absolute loss.
type mine struct{ loss.Absolute }

// TestLossOfAUser fits rows with 30 % outliers by default. A user-defined loss with a kink must
// give the same model as the built-in loss.
func TestLossOfAUser(t *testing.T) {
	const n = 300 // few rows suffice to compare bits
	x, y := sine(n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		if r.Float64() < 0.3 {
			y.Set(i, 0, y.At(i, 0)+20*r.Float64())
		}
	}
	fit := func(l loss.Loss) *mat.Dense {
		m, err := doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Loss: l})
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, pair := range [][2]loss.Loss{{loss.Absolute{}, mine{}}, {loss.Pinball{Tau: .3}, &loss.Pinball{Tau: .3}}} {
		if !mat.Equal(fit(pair[0]), fit(pair[1])) {
			t.Errorf("%T and %T give different models", pair[0], pair[1])
		}
	}
}

// TestUnusedOptions checks that each option without effect in a mode is an error.
func TestUnusedOptions(t *testing.T) {
	x, y := sine(40)
	for _, c := range []struct {
		name    string
		opts    doublysgd.Options
		message string
	}{
		{"Batch", doublysgd.Options{Paper: doublysgd.Paper{Batch: 8}}, "Mode = Revisit"},
		{"LastIterate", doublysgd.Options{Paper: doublysgd.Paper{LastIterate: true}}, "Mode = Revisit"},
		{"Ridge", doublysgd.Options{Ridge: 1, Paper: doublysgd.Paper{Mode: doublysgd.Newton}}, "Mode = Newton"},
		{"Tolerance", doublysgd.Options{Tolerance: .1, Paper: doublysgd.Paper{Mode: doublysgd.Newton}}, "Mode = Newton"},
		{"LastIterate", doublysgd.Options{Paper: doublysgd.Paper{Mode: doublysgd.Newton, LastIterate: true}}, "Mode = Newton"},
		{"Precision", doublysgd.Options{Paper: doublysgd.Paper{Mode: doublysgd.Newton, Precision: doublysgd.Double}}, "Mode = Newton"},
		{"Tolerance", doublysgd.Options{Tolerance: .1, Paper: doublysgd.Paper{Mode: doublysgd.Plain}}, "Mode = Plain"},
		{"Precision", doublysgd.Options{Paper: doublysgd.Paper{Mode: doublysgd.Plain, Precision: doublysgd.Single}}, "Mode = Plain"},
	} {
		_, err := doublysgd.Fit(context.Background(), x, y, &c.opts)
		checkError(t, err, rkhs.ErrOption, c.message, c.name)
		if c.opts.Mode == doublysgd.Auto {
			continue
		}
		_, err = doublysgd.NewLearner(&c.opts)
		checkError(t, err, rkhs.ErrOption, c.message, c.name)
		_, err = doublysgd.NewClassLearner([]int{1, 2}, &c.opts)
		checkError(t, err, rkhs.ErrOption, c.message, c.name)
	}
	_, err := doublysgd.NewLearner(&doublysgd.Options{Paper: doublysgd.Paper{Passes: 2}})
	checkError(t, err, rkhs.ErrOption, "learner", "Passes")
	_, err = doublysgd.NewLearner(&doublysgd.Options{Recorder: rkhs.RecorderFunc(func(rkhs.Progress) error { return nil })})
	checkError(t, err, rkhs.ErrOption, "learner", "Recorder")
	_, err = doublysgd.FitClassifier(context.Background(), x, alternating(40), &doublysgd.Options{Loss: loss.MulticlassHinge{}, Ridge: 1})
	checkError(t, err, rkhs.ErrOption, "Mode = Newton", "Ridge")
}

func alternating(n int) *mat.Dense {
	labels := mat.NewDense(n, 1, nil)
	for i := range n {
		labels.Set(i, 0, float64(i%2))
	}
	return labels
}
