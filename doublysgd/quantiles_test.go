package doublysgd_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

var someTaus = []float64{.01, .05, .5, .95, .99}

// TestQuantiles checks that quantiles of one fit have their coverage, do not cross, and are
// the same after loading.
func TestQuantiles(t *testing.T) {
	testutil.Long(t, "takes seconds")
	x, y := skewed(1000, 1.5, 8)
	for _, o := range []doublysgd.Options{
		{Kernel: kernel.Gaussian{Sigma: 1}, Features: 256, Ridge: 1e-6, Paper: doublysgd.Paper{Columns: 64}},
		{Kernel: kernel.Gaussian{Sigma: 1}, Features: 256, Ridge: 1e3, Paper: doublysgd.Paper{Columns: 64}},
		{Paper: doublysgd.Paper{Mode: doublysgd.Newton, Columns: 64}},
		{Paper: doublysgd.Paper{Mode: doublysgd.Plain}},
	} {
		o.Quantiles = someTaus
		q, err := doublysgd.Fit(context.Background(), x, y, &o)
		if err != nil {
			t.Fatal(err)
		}
		p, err := q.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 1000 {
			if !slices.IsSorted(p.RawRowView(i)) {
				t.Fatalf("%v: quantiles cross at row %d: %v", q.Report().Mode, i, p.RawRowView(i))
			}
		}
		for k, tau := range someTaus {
			below := 0
			for i := range 1000 {
				if y.At(i, 0) <= p.At(i, k) {
					below++
				}
			}
			if c := float64(below) / 1000; math.Abs(c-tau) > .02 {
				t.Errorf("%v, ridge %v: the quantile %v covers %v", q.Report().Mode, o.Ridge, tau, c)
			}
		}
		data, err := q.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var again doublysgd.Model
		if err := again.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		if r, err := again.Predict(x); err != nil || !mat.Equal(r, p) || !slices.Equal(again.Quantiles(), someTaus) {
			t.Errorf("the file means something else: %v", err)
		}
	}
}

// TestOneQuantile checks that a single quantile gives the same model as its loss.
func TestOneQuantile(t *testing.T) {
	x, y := skewed(300, 1.5, 9)
	o := doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 1}, Features: 128, Ridge: 1e-4, Paper: doublysgd.Paper{Columns: 64}}
	several := o
	several.Quantiles = []float64{.9}
	q, err := doublysgd.Fit(context.Background(), x, y, &several)
	if err != nil {
		t.Fatal(err)
	}
	o.Loss = loss.Pinball{Tau: .9}
	m, err := doublysgd.Fit(context.Background(), x, y, &o)
	if err != nil {
		t.Fatal(err)
	}
	a, err := q.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(a, b) {
		t.Error("Quantiles of one tau differ from its Loss")
	}
}

func TestQuantilesRefuse(t *testing.T) {
	x, y := sine(50)
	ctx, with := context.Background(), func(o doublysgd.Options) *doublysgd.Options {
		o.Quantiles = someTaus
		return &o
	}
	for _, taus := range [][]float64{{0}, {1}, {.5, .5}, {.9, .1}, {math.NaN()}} {
		_, err := doublysgd.Fit(ctx, x, y, &doublysgd.Options{Quantiles: taus})
		checkError(t, err, rkhs.ErrOption, "Quantiles")
	}
	_, err := doublysgd.Fit(ctx, x, y, with(doublysgd.Options{Loss: loss.Squared{}}))
	checkError(t, err, rkhs.ErrOption, "Quantiles", "Loss")
	_, err = doublysgd.Fit(ctx, x, y, with(doublysgd.Options{NoCalibration: true}))
	checkError(t, err, rkhs.ErrOption, "Quantiles", "NoCalibration")
	_, err = doublysgd.FitClassifier(ctx, x, signs(y), with(doublysgd.Options{}))
	checkError(t, err, rkhs.ErrOption, "classification", "Quantiles")
	_, err = doublysgd.NewLearner(with(doublysgd.Options{}))
	checkError(t, err, rkhs.ErrOption, "learner", "Quantiles")
	_, err = doublysgd.NewClassLearner([]int{0, 1}, with(doublysgd.Options{}))
	checkError(t, err, rkhs.ErrOption, "Quantiles")
	_, err = doublysgd.Fit(ctx, x, mat.NewDense(50, 2, nil), with(doublysgd.Options{}))
	checkError(t, err, rkhs.ErrShape)
}

// TestQuantilesFormula checks that a quantile model has no intervals or labels, and that its
// formula has sorted outputs.
func TestQuantilesFormula(t *testing.T) {
	x, y := sine(50)
	m, err := doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Quantiles: []float64{.1, .9}, Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-3, Features: 16, Paper: doublysgd.Paper{Columns: 16}})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = m.Interval(x, .8)
	checkError(t, err, rkhs.ErrNoCalibration)
	_, err = doublysgd.NewClassifier(m, []int{0, 1})
	checkError(t, err, rkhs.ErrOption, "Quantiles")
	if f := m.Formula(); f.Output != formula.Ascending || f.Outputs() != 2 {
		t.Errorf("the formula of two quantiles has %d outputs, %v", f.Outputs(), f.Output)
	}
}

// TestNoQuantiles checks that an empty list selects no quantiles, so outputs are not sorted.
func TestNoQuantiles(t *testing.T) {
	x, y := sine(50)
	both := mat.NewDense(50, 2, nil)
	both.SetCol(0, mat.Col(nil, 0, y))
	both.Apply(func(i, j int, v float64) float64 { return v - 10*float64(j) }, both)
	m, err := doublysgd.Fit(context.Background(), x, both, &doublysgd.Options{Quantiles: []float64{}, Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-3, Features: 16, Paper: doublysgd.Paper{Columns: 16}})
	if err != nil {
		t.Fatal(err)
	}
	if p, err := m.Predict(x); err != nil || p.At(0, 0) <= p.At(0, 1) {
		t.Errorf("the second output, which is the smaller one, comes first: %v", err)
	}
}
