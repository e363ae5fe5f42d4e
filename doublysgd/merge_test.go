package doublysgd_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// part draws rows of sin(3t), with numbers and signs as targets.
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

// TestMerge compares a merged model with the mean of predictions weighted by rows, for a loss
// in units of the targets.
func TestMerge(t *testing.T) {
	opts := &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 0.5}, Ridge: 1e-4, Features: 128, Loss: loss.Huber{Delta: 1}, Seed: 3, Paper: doublysgd.Paper{Columns: 64}}
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
	m, err := models[0].Merge(models[1:]...)
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
		if _, err := models[0].Merge(other); !errors.Is(err, c.want) {
			t.Errorf("another %s: %v", name, err)
		}
	}
	if _, err := models[0].Merge(nil); !errors.Is(err, rkhs.ErrUnfitted) {
		t.Errorf("no model: %v", err)
	}
}

// TestMergeWithoutRows checks that models without a row count have equal weights.
func TestMergeWithoutRows(t *testing.T) {
	var models []*doublysgd.Model
	for _, b := range []float64{1, 4} {
		m, err := doublysgd.NewModel(kernel.Gaussian{Sigma: 1}, 1, features.Options{Columns: 16}, mat.NewDense(16, 1, nil), []float64{b}, doublysgd.Report{})
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, m)
	}
	m, err := models[0].Merge(models[1])
	if err != nil || m.Intercept()[0] != 2.5 {
		t.Errorf("the constant is %v, %v", m.Intercept(), err)
	}
}

// TestMergeLabels checks that classifiers with different labels cannot be merged.
func TestMergeLabels(t *testing.T) {
	opts := &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 0.5}, Ridge: 1e-4, Features: 16, NoCalibration: true, Paper: doublysgd.Paper{Columns: 16}}
	x, _, signs := part(60, 1)
	fit := func(label func(i int, v float64) float64) *doublysgd.Classifier {
		labels := mat.NewDense(60, 1, nil)
		labels.Apply(func(i, _ int, v float64) float64 { return label(i, v) }, signs)
		c, err := doublysgd.FitClassifier(context.Background(), x, labels, opts)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := fit(func(_ int, v float64) float64 { return v })
	three, two := fit(func(i int, v float64) float64 { return v * float64(i%2) }), fit(func(_ int, v float64) float64 { return 2 * v })
	for _, other := range []*doublysgd.Classifier{three, two} {
		_, err := c.Merge(other)
		checkError(t, err, rkhs.ErrLabels, "labels")
	}
	_, err := c.Merge(nil)
	checkError(t, err, rkhs.ErrUnfitted)
}

// TestMergeOfDigits fits eight random parts of MNIST (RKHS_PAPERS). It compares merging in
// common features, averaging scores of different features, and one fit to all rows.
func TestMergeOfDigits(t *testing.T) {
	dir, ok := testutil.DataDir()
	if !ok || os.Getenv("RKHS_PAPERS") == "" {
		t.Skip("RKHS_DATA names no folder of data sets, or RKHS_PAPERS is not set")
	}
	digits := func(part string) (x, labels *mat.Dense) {
		set, err := dataset.LoadIDXPair(filepath.Join(dir, part+"-images-idx3-ubyte.gz"), filepath.Join(dir, part+"-labels-idx1-ubyte.gz"))
		if err != nil {
			t.Fatal(err)
		}
		set.X.Scale(1./255, set.X)
		return set.X, mat.NewDense(len(set.Y), 1, set.Y)
	}
	x, labels := digits("train")
	test, truth := digits("t10k")
	order := rand.New(rand.NewPCG(1, 1)).Perm(60000)
	wrong := func(scores *mat.Dense) (percent float64) {
		for i := range 10000 {
			if float64(floats.MaxIdx(scores.RawRowView(i))) != truth.At(i, 0) {
				percent += 0.01
			}
		}
		return percent
	}
	fit := func(x, labels *mat.Dense, l loss.Loss, features int, seed uint64) *mat.Dense {
		c, err := doublysgd.FitClassifier(context.Background(), x, labels, &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 5.133943701635691}, Ridge: 0.01 / 60000, Features: features, Loss: l, NoCalibration: true, Seed: seed, Paper: doublysgd.Paper{Passes: 4, Precision: doublysgd.Single}})
		if err != nil {
			t.Fatal(err)
		}
		scores, err := c.Scores(test)
		if err != nil {
			t.Fatal(err)
		}
		return scores
	}
	for _, l := range []loss.Loss{loss.Squared{}, loss.SquaredHinge{}} {
		for _, features := range []int{2048, 4096, 8192} {
			same, distinct := mat.NewDense(10000, 10, nil), mat.NewDense(10000, 10, nil)
			for k := range uint64(8) {
				px, py := mat.NewDense(7500, 784, nil), mat.NewDense(7500, 1, nil)
				for i, r := range order[7500*k : 7500*(k+1)] {
					px.SetRow(i, x.RawRowView(r))
					py.Set(i, 0, labels.At(r, 0))
				}
				same.Add(same, fit(px, py, l, features, 1))
				if features == 2048 {
					distinct.Add(distinct, fit(px, py, l, features, k))
				}
			}
			merged, alone := wrong(same), wrong(fit(x, labels, l, features, 1))
			t.Logf("%v, %d features: %.2f %% wrong merged, %.2f alone", l, features, merged, alone)
			if features == 2048 {
				t.Logf("eight times as many, of a seed each: %.2f", wrong(distinct))
			}
			if l == (loss.Squared{}) && merged > alone+0.5 {
				t.Errorf("%d features: %v %% wrong merged, %v alone", features, merged, alone)
			}
		}
	}
}

// This example merges models fitted to parts of the rows with the same features.
func ExampleModel_Merge() {
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
	m, err := models[0].Merge(models[1:]...)
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := list[0].Merge(list[1:]...)
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
