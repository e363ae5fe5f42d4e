package features_test

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestSampled checks that the error falls as the order grows and the period shrinks with it, and checks
// invalid options.
func TestSampled(t *testing.T) {
	x, z := histograms(20, 6, 1), histograms(20, 6, 2)
	for _, k := range []kernel.Kernel{kernel.AdditiveChiSquared{}, kernel.Intersection{}, kernel.JensenShannon{}} {
		last := math.Inf(1)
		for _, order := range []int{1, 4, 16, 64} {
			m, err := features.Sampled(k, 6, order, 1.2/math.Sqrt(float64(order)))
			if err != nil || m.Columns() != 6*(2*order+1) {
				t.Fatalf("%v, %d columns", err, m.Columns())
			}
			e := spread(m, x, z, 1)[0]
			t.Logf("%v, order %d: %.2e", k, order, e)
			if e > last/2 {
				t.Errorf("%v: error %.2e at order %d, %.2e at a quarter of it", k, e, order, last)
			}
			last = e
		}
	}
	for _, c := range []struct {
		k      kernel.Kernel
		d      int
		order  int
		period float64
		want   error
	}{
		{kernel.Gaussian{Sigma: 1}, 3, 1, 0, rkhs.ErrOption},
		{kernel.Intersection{}, 0, 1, 0, rkhs.ErrShape},
		{kernel.Intersection{}, 3, 3, 0, rkhs.ErrOption},
		{kernel.Intersection{}, 3, -1, 1, rkhs.ErrOption},
		{kernel.Intersection{}, 3, 1, math.NaN(), rkhs.ErrOption},
	} {
		if _, err := features.Sampled(c.k, c.d, c.order, c.period); !errors.Is(err, c.want) {
			t.Errorf("%v, %d columns, order %d, period %v: %v", c.k, c.d, c.order, c.period, err)
		}
	}
}

// TestSampledPublished compares with values from a different implementation of the paper for one point at
// the default period.
func TestSampledPublished(t *testing.T) {
	m, err := features.Sampled(kernel.AdditiveChiSquared{}, 1, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	x := 0.3
	got, err := features.NewTransformer(m).Transform(mat.NewDense(1, 1, []float64{x}))
	if err != nil {
		t.Fatal(err)
	}
	a := math.Sqrt(2 * x * 0.5 / math.Cosh(math.Pi*0.5))
	for j, want := range []float64{math.Sqrt(x * 0.5), a * math.Cos(0.5*math.Log(x)), a * math.Sin(0.5*math.Log(x))} {
		if math.Abs(got.At(0, j)-want) > 1e-15 {
			t.Errorf("column %d is %v, want %v", j, got.At(0, j), want)
		}
	}
}
