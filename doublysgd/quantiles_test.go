package doublysgd_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

var someTaus = []float64{.01, .05, .5, .95, .99}

// Quantiles of one fit cover what they say, do not cross, and survive their file.
func TestQuantiles(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: runs without -short")
	}
	x, y := skewed(1000, 1.5, 8)
	for _, o := range []doublysgd.Options{
		{Kernel: kernel.Gaussian{Sigma: 1}, Columns: 64, Features: 256, Ridge: 1e-6},
		{Kernel: kernel.Gaussian{Sigma: 1}, Columns: 64, Features: 256, Ridge: 1e3},
		{Mode: doublysgd.Newton, Columns: 64},
		{Mode: doublysgd.Plain},
	} {
		q, err := doublysgd.FitQuantiles(context.Background(), x, y, someTaus, &o)
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
		var again doublysgd.Quantiles
		if err := again.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		if r, err := again.Predict(x); err != nil || !mat.Equal(r, p) || !slices.Equal(again.Taus(), someTaus) {
			t.Errorf("the file means something else: %v", err)
		}
	}
}

// One tau alone is the model of its loss.
func TestOneQuantile(t *testing.T) {
	x, y := skewed(300, 1.5, 9)
	o := doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 1}, Columns: 64, Features: 128, Ridge: 1e-4}
	q, err := doublysgd.FitQuantiles(context.Background(), x, y, []float64{.9}, &o)
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
		t.Error("FitQuantiles of one tau differs from Fit")
	}
}

func TestQuantilesRefuse(t *testing.T) {
	x, y := sine(50)
	for _, taus := range [][]float64{nil, {0}, {1}, {.5, .5}, {.9, .1}, {math.NaN()}} {
		_, err := doublysgd.FitQuantiles(context.Background(), x, y, taus, nil)
		says(t, err, rkhs.ErrOption)
	}
	_, err := doublysgd.FitQuantiles(context.Background(), x, y, someTaus, &doublysgd.Options{Loss: loss.Squared{}})
	says(t, err, rkhs.ErrOption, "Loss")
	_, err = doublysgd.FitQuantiles(context.Background(), x, mat.NewDense(50, 2, nil), someTaus, nil)
	says(t, err, rkhs.ErrShape)
	_, err = new(doublysgd.Quantiles).Predict(x)
	says(t, err, rkhs.ErrUnfitted)
	_, err = (*doublysgd.Quantiles)(nil).MarshalBinary()
	says(t, err, rkhs.ErrUnfitted)
}
