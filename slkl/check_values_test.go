package slkl

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// checkCase is a row of the table of fixed check values: landmarks
// floor(i·n/M), columns standardised over all rows, lam = 1, no intercept.
type checkCase struct {
	set       string
	landmarks int
	variance  float64
	objective float64
	mse       float64
	order     int
}

var checkCases = []checkCase{
	{"boston", 128, 3.25, 7213.566, 35.02, 114},
	{"boston", 350, 3.25, 1446.072, 12.60, 161},
	{"abalone", 512, 2.5, 13677.445, 4.070, 143},
}

type checkData struct {
	train, test *dataset.Set
	opts        Options
}

func (c checkCase) load(tb testing.TB) checkData {
	tb.Helper()
	dir, ok := testutil.DataDir()
	if !ok {
		tb.Skip("RKHS_DATA does not name the folder of the data sets")
	}
	all, err := dataset.Load(filepath.Join(dir, c.set+".csv.gz"), dataset.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := dataset.Standardize(all.X); err != nil {
		tb.Fatal(err)
	}
	var train, test []int
	for i := range all.Y {
		if c.tests(i) {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	d := checkData{train: all.Select(train), test: all.Select(test), opts: Options{Kernels: []kernel.Kernel{kernel.Gaussian{Sigma: math.Sqrt(c.variance)}}, Penalty: .01, Paper: Paper{NoIntercept: true}}}
	for i := range c.landmarks {
		d.opts.PointRows = append(d.opts.PointRows, i*len(train)/c.landmarks)
	}
	return d
}

func (c checkCase) tests(i int) bool {
	if c.set == "boston" {
		return (i+1)*156/506 > i*156/506
	}
	return i >= 3000
}

func targetsOf(s *dataset.Set) *mat.Dense { return mat.NewDense(len(s.Y), 1, s.Y) }

func squaredError(tb testing.TB, m *Model, s *dataset.Set) float64 {
	tb.Helper()
	p, err := m.Predict(s.X)
	if err != nil {
		tb.Fatal(err)
	}
	p.Sub(p, targetsOf(s))
	return math.Pow(mat.Norm(p, 2), 2) / float64(len(s.Y))
}

func near(got, want, relative float64) bool { return math.Abs(got-want) <= relative*math.Abs(want) }

// TestCheckValues compares the default solver with values computed by different software.
func TestCheckValues(t *testing.T) {
	for _, c := range checkCases {
		d := c.load(t)
		m, err := Fit(context.Background(), d.train.X, targetsOf(d.train), &d.opts)
		if err != nil {
			t.Fatal(err)
		}
		r := m.Report().Outputs[0]
		if !near(r.Objective, c.objective, 2e-6) || r.RelativeGap() > 1e-9 || r.Status != rkhs.Converged {
			t.Errorf("%s %d: objective %.6f with relative gap %.1e (%v), want %.3f", c.set, c.landmarks, r.Objective, r.RelativeGap(), r.Status, c.objective)
		}
		if mse := squaredError(t, m, d.test); !near(mse, c.mse, 2e-3) {
			t.Errorf("%s %d: test MSE %.4f, want %.3f", c.set, c.landmarks, mse, c.mse)
		}
		if r.ModelOrder != c.order || m.ModelOrder() != c.order {
			t.Errorf("%s %d: m0 = %d, want %d", c.set, c.landmarks, r.ModelOrder, c.order)
		}
	}
}

// TestOtherRoadsToTheOptimum compares the random order, the Newton step and the
// low-memory mode with the default.
func TestOtherRoadsToTheOptimum(t *testing.T) {
	testutil.Long(t, "takes seconds")
	for _, c := range checkCases {
		d := c.load(t)
		for name, change := range map[string]func(*Options){
			"random order, paper's rule": func(o *Options) { o.Order, o.Epsilon = UniformRandom, 1e-6 },
			"greedy, paper's rule":       func(o *Options) { o.Epsilon = 1e-6 },
			"Newton step":                func(o *Options) { o.Rule = NewtonStep },
			"on the fly":                 func(o *Options) { o.LowMemory = true },
			"on the fly, random order":   func(o *Options) { o.LowMemory, o.Order, o.Epsilon = true, UniformRandom, 1e-5 },
		} {
			opts := d.opts
			change(&opts)
			m, err := Fit(context.Background(), d.train.X, targetsOf(d.train), &opts)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			r := m.Report().Outputs[0]
			if !near(r.Objective, c.objective, 1e-4) {
				t.Errorf("%s %d, %s: objective %.6f, want %.3f", c.set, c.landmarks, name, r.Objective, c.objective)
			}
			if opts.LowMemory && opts.Epsilon == 0 && (r.RelativeGap() > 1e-9 || !near(r.Objective, c.objective, 2e-6)) {
				t.Errorf("%s %d, %s: objective %.6f with relative gap %.1e", c.set, c.landmarks, name, r.Objective, r.RelativeGap())
			}
		}
	}
}
