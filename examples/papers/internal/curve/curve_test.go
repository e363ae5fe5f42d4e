package curve

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/examples/papers/internal/baseline"
	"github.com/rkhs-go/rkhs/internal/synthetic"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

func TestMeasure(t *testing.T) {
	scores := mat.NewDense(4, 2, []float64{2, 0, 0, 2, 0.5, 0, 1, 1})
	test := &dataset.Set{Y: []float64{0, 0, 0, 1}}
	p := Measure(scores, test, loss.MulticlassHinge{}, 9, 3)
	if p.Loss != (0+3+0.5+1)/4.0 || p.Error != 0.5 || p.Rows != 9 || p.Order != 3 {
		t.Errorf("got %+v", p)
	}
}

func multidist() (train, test *dataset.Set) {
	all, _ := synthetic.Multidist(1500, 1)
	rows := make([]int, 1500)
	for i := range rows {
		rows[i] = i
	}
	return all.Select(rows[:1000]), all.Select(rows[1000:])
}

// The last point matches the returned classifier, and the error decreases.
func TestPOLK(t *testing.T) {
	train, test := multidist()
	o := polk.Options{Loss: loss.MulticlassHinge{}, Horizon: 1000, Warmup: 100, Paper: polk.Paper{Batch: 32}}
	points, c, err := POLK(context.Background(), o, train, test, 5, 5)
	if err != nil {
		t.Fatal(err)
	}
	labels, err := c.Predict(test.X)
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0.0
	for i, y := range test.Y {
		if labels.At(i, 0) != y {
			wrong += 1. / 500
		}
	}
	end := points[len(points)-1]
	if math.Abs(end.Error-wrong) > 1e-12 || end.Rows != 1000 || end.Order != c.Model().ModelOrder() {
		t.Errorf("ends with %+v; the classifier errs in %v", end, wrong)
	}
	if len(points) != 7 || points[0].Rows != 160 || points[0].Error < end.Error {
		t.Errorf("points %+v", points)
	}
}

func TestSGD(t *testing.T) {
	train, test := multidist()
	l := baseline.NewSGD(2, 5, baseline.SGDOptions{Kernel: kernel.Gaussian{Sigma: 0.6}, Loss: loss.MulticlassHinge{}, Step: 1, Lambda: 1e-6, Budget: 40, Maintenance: baseline.Merge{}})
	points, err := SGD(context.Background(), l, loss.MulticlassHinge{}, train, test, 300)
	if err != nil {
		t.Fatal(err)
	}
	wrong := 1 - Bayes(l.Function().Classes(test.X), test.Y)
	if len(points) != 4 || points[3].Rows != 1000 || points[3].Order != 40 || math.Abs(1-wrong-points[3].Error) > 1e-12 {
		t.Errorf("points %+v, the function is right in %v", points, wrong)
	}
}
