package doublysgd_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
)

// TestCalibrationOfAShortStream has a stream that ends before its first step. Learners on some of
// its rows calibrate it, because scores before the first step are constant.
func TestCalibrationOfAShortStream(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(n int) (x, y, labels *mat.Dense) {
		x, y, labels = mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
		for i := range n {
			a := 6 * r.Float64()
			x.Set(i, 0, a)
			y.Set(i, 0, 3*math.Sin(a)+.3*r.NormFloat64())
			if y.At(i, 0) > 0 {
				labels.Set(i, 0, 1)
			}
		}
		return x, y, labels
	}
	x, y, labels := draw(300)
	newX, newY, newLabels := draw(1000)
	ctx := context.Background()

	l, err := doublysgd.NewLearner(&doublysgd.Options{Features: 256})
	if err == nil {
		err = l.Update(x, y)
	}
	if err != nil {
		t.Fatal(err)
	}
	m, err := l.Model(ctx)
	if err != nil {
		t.Fatal(err)
	}
	lower, upper, err := m.Interval(newX, .5)
	if err != nil {
		t.Fatal(err)
	}
	if covered, _, err := dataset.Coverage(lower, upper, newY); err != nil || math.Abs(covered-.5) > .1 {
		t.Errorf("intervals of coverage .5 cover %.3f (%v)", covered, err)
	}

	c, err := doublysgd.NewClassLearner([]int{0, 1}, &doublysgd.Options{Features: 256})
	if err == nil {
		err = c.Update(x, labels)
	}
	if err != nil {
		t.Fatal(err)
	}
	classifier, err := c.Model(ctx)
	if err != nil {
		t.Fatal(err)
	}
	p, err := classifier.Proba(newX)
	if err != nil {
		t.Fatal(err)
	}
	loss, err := dataset.LogLoss(p, newLabels, classifier.Labels())
	if told := classifier.Report().Calibration; err != nil || math.Abs(loss-told.LogLoss) > .05 {
		t.Errorf("log loss %.3f (%v), of the report %.3f", loss, err, told.LogLoss)
	}
}
