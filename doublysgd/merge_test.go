package doublysgd_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// part is rows of sin(3t), as numbers and as signs.
func part(n int, seed uint64) (x, y, signs *mat.Dense) {
	r := rand.New(rand.NewPCG(seed, 1))
	x, y, signs = mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		t := 4 * r.Float64()
		x.Set(i, 0, t)
		y.Set(i, 0, 5+math.Sin(3*t)+0.1*r.NormFloat64())
		signs.Set(i, 0, math.Copysign(1, math.Sin(3*t)))
	}
	return x, y, signs
}

// TestMerge compares with the mean of predictions by rows, of a loss that has units of its own.
func TestMerge(t *testing.T) {
	opts := &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 0.5}, Ridge: 1e-4, Features: 128, Columns: 64, Loss: loss.Huber{Delta: 1}, Seed: 3}
	test, _, _ := part(50, 9)
	var models []*doublysgd.Model
	want := mat.NewDense(50, 1, nil)
	for i, n := range []int{300, 100, 200} {
		x, y, _ := part(n, uint64(i))
		m, err := doublysgd.Fit(context.Background(), x, y, opts)
		if err != nil {
			t.Fatal(err)
		}
		f, err := m.Predict(test)
		if err != nil {
			t.Fatal(err)
		}
		f.Scale(float64(n)/600, f)
		want.Add(want, f)
		models = append(models, m)
	}
	m, err := doublysgd.Merge(models)
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Predict(test)
	if r := m.Report(); err != nil || !mat.EqualApprox(got, want, 1e-11) || r.Rows != 600 || r.Features != 128 || r.Ridge != 1e-4 {
		t.Errorf("%v; other predictions, or %+v", err, r)
	}
	for name, c := range map[string]struct {
		change func(o *doublysgd.Options)
		want   error
	}{
		"kernel":   {func(o *doublysgd.Options) { o.Kernel = kernel.Gaussian{Sigma: 0.6} }, rkhs.ErrOption},
		"seed":     {func(o *doublysgd.Options) { o.Seed = 4 }, rkhs.ErrOption},
		"features": {func(o *doublysgd.Options) { o.Features = 64 }, rkhs.ErrShape},
	} {
		o := *opts
		c.change(&o)
		x, y, _ := part(100, 5)
		other, err := doublysgd.Fit(context.Background(), x, y, &o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := doublysgd.Merge([]*doublysgd.Model{models[0], other}); !errors.Is(err, c.want) {
			t.Errorf("another %s: %v", name, err)
		}
	}
	if _, err := doublysgd.Merge(nil); !errors.Is(err, rkhs.ErrEmpty) {
		t.Errorf("no models: %v", err)
	}
	if _, err := doublysgd.Merge([]*doublysgd.Model{nil}); !errors.Is(err, rkhs.ErrUnfitted) {
		t.Errorf("no model: %v", err)
	}
}

// Models of parts of the rows that were learned apart in the same features become one.
func ExampleMerge() {
	opts := &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 0.5}, Ridge: 1e-4, Features: 128}
	var models []*doublysgd.Model
	var list []*doublysgd.Classifier
	for seed := range uint64(3) {
		x, y, signs := part(400, seed)
		m, err := doublysgd.Fit(context.Background(), x, y, opts)
		if err != nil {
			fmt.Println(err)
			return
		}
		c, err := doublysgd.FitClassifier(context.Background(), x, signs, opts)
		if err != nil {
			fmt.Println(err)
			return
		}
		models, list = append(models, m), append(list, c)
	}
	m, err := doublysgd.Merge(models)
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := doublysgd.MergeClassifiers(list)
	if err != nil {
		fmt.Println(err)
		return
	}
	t := mat.NewDense(1, 1, []float64{0.5})
	f, err := m.Predict(t)
	if err != nil {
		fmt.Println(err)
		return
	}
	label, err := c.Predict(t)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f %v of %d rows\n", f.At(0, 0), label.At(0, 0), m.Report().Rows)
	// Output: 6.0 1 of 1200 rows
}
