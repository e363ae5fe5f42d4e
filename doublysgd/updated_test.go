package doublysgd_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// stacked returns the coefficients of all blocks, stacked and multiplied by factor.
func stacked(m *doublysgd.Model, factor float64) *mat.Dense {
	all := new(mat.Dense)
	for _, a := range m.Features().Coefficients {
		next := new(mat.Dense)
		if all.IsEmpty() {
			next.CloneFrom(a)
		} else {
			next.Stack(all, a)
		}
		all = next
	}
	all.Scale(factor, all)
	return all
}

// TestUpdated changes the coefficients of a model of two blocks to the coefficients of another
// model. The result must predict like the other model, and the original must be unchanged.
func TestUpdated(t *testing.T) {
	opts := &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 0.5}, Ridge: 1e-4, Features: 128, Loss: loss.Huber{Delta: 1}, Seed: 3, Paper: doublysgd.Paper{Columns: 64}}
	var models []*doublysgd.Model
	for i := range uint64(2) {
		x, y, _ := part(200, i)
		y.Scale(float64(1+i), y)
		m, err := doublysgd.Fit(context.Background(), x, y, opts)
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, m)
	}
	from, to := models[0], models[1]
	step := stacked(to, 1)
	step.Sub(step, stacked(from, 1))
	test, _, _ := part(50, 9)
	before, err := from.Predict(test)
	if err != nil {
		t.Fatal(err)
	}
	m, err := from.Updated(step, []float64{to.Intercept()[0] - from.Intercept()[0]})
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Predict(test)
	if err != nil {
		t.Fatal(err)
	}
	want, err := to.Predict(test)
	if err != nil || !mat.EqualApprox(got, want, 1e-11) {
		t.Errorf("other predictions, %v", err)
	}
	if after, err := from.Predict(test); err != nil || !mat.Equal(after, before) {
		t.Errorf("the model that was moved predicts otherwise, %v", err)
	}
	r := m.Report()
	if r.Rows != 200 || r.Ridge != 1e-4 || r.Features != 128 || r.Units[0] != from.Report().Units[0] || !math.IsNaN(r.Objective) {
		t.Errorf("%+v", r)
	}
	if _, _, err := m.Interval(test, .9); !errors.Is(err, rkhs.ErrNoCalibration) {
		t.Errorf("an interval: %v", err)
	}
	tooFar := mat.NewDense(128, 1, nil)
	tooFar.Apply(func(_, _ int, _ float64) float64 { return math.MaxFloat64 }, tooFar)
	far, err := from.Updated(tooFar, []float64{0})
	if err != nil { // the unit is below 1
		far = from
	}
	for name, c := range map[string]struct {
		m    *doublysgd.Model
		step mat.Matrix
		b    []float64
		want error
	}{
		"nil":       {nil, step, []float64{0}, rkhs.ErrUnfitted},
		"zero":      {new(doublysgd.Model), step, []float64{0}, rkhs.ErrUnfitted},
		"features":  {from, mat.NewDense(64, 1, nil), []float64{0}, rkhs.ErrShape},
		"outputs":   {from, mat.NewDense(128, 2, nil), []float64{0}, rkhs.ErrShape},
		"constants": {from, step, nil, rkhs.ErrShape},
		"number":    {from, step, []float64{math.NaN()}, rkhs.ErrNotFinite},
		"infinite":  {from, mat.NewDense(128, 1, append(make([]float64, 127), math.Inf(1))), []float64{0}, rkhs.ErrNotFinite},
		"far":       {far, tooFar, []float64{0}, rkhs.ErrDiverged},
	} {
		if _, err := c.m.Updated(c.step, c.b); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestUpdatedKinds checks that updated classifiers keep labels and loss but not their calibration,
// and that quantiles remain sorted.
func TestUpdatedKinds(t *testing.T) {
	x, y, signs := part(300, 1)
	opts := &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 0.5}, Ridge: 1e-4, Features: 64, Loss: loss.Logistic{}, Paper: doublysgd.Paper{Columns: 64}}
	c, err := doublysgd.FitClassifier(context.Background(), x, signs, opts)
	if err != nil {
		t.Fatal(err)
	}
	updated, err := c.Updated(stacked(c.Model(), -2), []float64{-2 * c.Model().Intercept()[0]})
	if err != nil {
		t.Fatal(err)
	}
	p, err := updated.Proba(x)
	if err != nil {
		t.Fatal(err)
	}
	f, err := c.Scores(x)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		if want := (loss.Logistic{}).Probability(-f.At(i, 0)); math.Abs(p.At(i, 1)-want) > 1e-12 {
			t.Fatalf("the probability %v, want %v", p.At(i, 1), want)
		}
	}
	if updated.Loss() != loss.Loss(loss.Logistic{}) || fmt.Sprint(updated.Labels()) != "[-1 1]" {
		t.Errorf("%v of labels %v", updated.Loss(), updated.Labels())
	}
	_, err = new(doublysgd.Classifier).Updated(nil, nil)
	checkError(t, err, rkhs.ErrUnfitted)

	q, err := doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 0.5}, Ridge: 1e-4, Features: 64, Quantiles: []float64{.1, .9}, Paper: doublysgd.Paper{Columns: 64}})
	if err != nil {
		t.Fatal(err)
	}
	crossed, err := q.Updated(mat.NewDense(64, 2, nil), []float64{100, -100})
	if err != nil {
		t.Fatal(err)
	}
	if f, err = crossed.Predict(x); err != nil || f.At(0, 0) > f.At(0, 1) || f.At(0, 1) < 90 {
		t.Errorf("quantiles %v, %v", f.RawRowView(0), err)
	}
}

// This example applies a step of the coefficients that was computed elsewhere.
func ExampleModel_Updated() {
	x, y, _ := part(400, 1)
	m, err := doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 0.5}, Ridge: 1e-4, Features: 128, Paper: doublysgd.Paper{Columns: 128}})
	if err != nil {
		fmt.Println(err)
		return
	}
	updated, err := m.Updated(mat.NewDense(128, 1, nil), []float64{3})
	if err != nil {
		fmt.Println(err)
		return
	}
	t := mat.NewDense(1, 1, []float64{0.5})
	f, err := updated.Predict(t)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f\n", f.At(0, 0))
	// Output: 9.0
}
