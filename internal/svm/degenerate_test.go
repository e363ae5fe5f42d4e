package svm

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

func points(d int, v ...float64) blas64.General {
	return blas64.General{Rows: len(v) / d, Cols: d, Stride: d, Data: v}
}

func TestTwoPoints(t *testing.T) {
	// k = 1 on the diagonal and exp(−2) off it: β = ±1/(1 − exp(−2)), or C.
	x, y := points(1, 0, 2), []float64{-1, 1}
	for c, want := range map[float64]float64{0.5: 0.5, 1e6: 1 / (1 - math.Exp(-2))} {
		s, err := Fit(context.Background(), kernel.Gaussian{Sigma: 1}, compute.DensePoints(x), y, Options{C: c})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(s.Beta[1]-want) > 1e-14*want || s.Beta[0] != -s.Beta[1] || math.Abs(s.Bias) > 1e-15 {
			t.Errorf("C = %v: beta %v, bias %v, want ±%v and 0", c, s.Beta, s.Bias, want)
		}
	}
}

// Equal rows with both labels have coefficients C, or cancel.
func TestConflictingDuplicates(t *testing.T) {
	for _, c := range []float64{1e-5, 1, 1e10} {
		x, y := points(1, 0, 0, 1, 1), []float64{1, -1, 1, -1}
		s, err := Fit(context.Background(), kernel.Gaussian{Sigma: 1}, compute.DensePoints(x), y, Options{C: c})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(s.Objective-4*c) > 1e-9*c || s.Bias != 0 {
			t.Errorf("C = %v: objective %v, bias %v, want %v and 0", c, s.Objective, s.Bias, 4*c)
		}
	}
}

func TestAllRowsEqual(t *testing.T) {
	x := compute.NewMatrix(60, 3)
	y := signs(1, 60)
	s, err := Fit(context.Background(), kernel.Gaussian{Sigma: 1}, compute.DensePoints(x), y, Options{})
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float64, 60)
	s.Decision(dst, kernel.Gaussian{Sigma: 1}, compute.DensePoints(x), compute.DensePoints(x), 1)
	for _, f := range dst {
		if math.Abs(f+1) > 1e-12 {
			t.Fatalf("f = %v, want the majority, −1", f)
		}
	}
}

// One positive among 60: its score is positive if it counts for more, or if C is
// large.
func TestOnePositive(t *testing.T) {
	x, _ := problem(60, 3, 11)
	k := kernel.Gaussian{Sigma: 1}
	y := signs(1, 60)
	weights := make([]float64, 60)
	for i := range weights {
		weights[i] = 1
	}
	weights[0] = 59
	for _, o := range []Options{{C: 1e5}, {C: 1, Weights: weights}} {
		s, err := Fit(context.Background(), k, compute.DensePoints(x), y, o)
		if err != nil {
			t.Fatal(err)
		}
		dst := make([]float64, 60)
		s.Decision(dst, k, compute.DensePoints(x), compute.DensePoints(x), 1)
		wrong := 0
		for i, f := range dst {
			if f*y[i] <= 0 {
				wrong++
			}
		}
		if dst[0] <= 0 || o.C > 1 && wrong > 0 {
			t.Errorf("C = %v: the score is %v, %d are wrong", o.C, dst[0], wrong)
		}
	}
}

// With a huge C on separable points the solution is that of the hard margin,
// which no larger C changes.
func TestHardMargin(t *testing.T) {
	x, _ := problem(80, 2, 12)
	y := make([]float64, 80)
	for i := range y {
		y[i] = math.Copysign(1, x.Data[2*i]+x.Data[2*i+1])
	}
	var objective [2]float64
	for t2, c := range []float64{1e12, 1e15} {
		s, err := Fit(context.Background(), kernel.Gaussian{Sigma: 1}, compute.DensePoints(x), y, Options{C: c, Tolerance: 1e-6})
		if err != nil {
			t.Fatal(err)
		}
		objective[t2] = s.Objective
	}
	if math.Abs(objective[0]-objective[1]) > 1e-9*objective[0] {
		t.Errorf("objectives %v", objective)
	}
}

// A kernel that is not finite ends the fit with an error.
func TestKernelNotFinite(t *testing.T) {
	x, _ := problem(4, 2, 1)
	if _, err := Fit(context.Background(), kernel.Scale{By: math.NaN(), Of: kernel.Linear{}}, compute.DensePoints(x), signs(2, 4), Options{}); !errors.Is(err, rkhs.ErrDiverged) {
		t.Errorf("error %v", err)
	}
}

func TestRefused(t *testing.T) {
	x, y := problem(6, 2, 1)
	one := []float64{1, 1, 1, 1, 1, 1}
	for name, c := range map[string]struct {
		y    []float64
		o    Options
		want error
	}{
		"one class":         {one, Options{}, rkhs.ErrLabels},
		"label 0":           {[]float64{1, -1, 0, 1, 1, 1}, Options{}, rkhs.ErrLabels},
		"too few labels":    {y[:5], Options{}, rkhs.ErrShape},
		"C":                 {y, Options{C: -1}, rkhs.ErrOption},
		"C infinite":        {y, Options{C: math.Inf(1)}, rkhs.ErrOption},
		"tolerance":         {y, Options{Tolerance: math.NaN()}, rkhs.ErrOption},
		"iterations":        {y, Options{MaxIterations: -1}, rkhs.ErrOption},
		"cache":             {y, Options{CacheBytes: -1}, rkhs.ErrOption},
		"workers":           {y, Options{Workers: -1}, rkhs.ErrOption},
		"weight 0":          {y, Options{Weights: make([]float64, 6)}, rkhs.ErrOption},
		"too few weights":   {y, Options{Weights: one[:2]}, rkhs.ErrShape},
		"start not finite":  {y, Options{Start: []float64{0, 0, 0, 0, 0, math.NaN()}}, rkhs.ErrNotFinite},
		"start of 2":        {y, Options{Start: one[:2]}, rkhs.ErrShape},
		"weights overflow":  {y, Options{C: 1e300, Weights: []float64{1, 1, 1, 1, 1, 1e300}}, rkhs.ErrOption},
		"labels not finite": {[]float64{1, -1, math.NaN(), 1, 1, 1}, Options{}, rkhs.ErrLabels},
	} {
		if s, err := Fit(context.Background(), kernel.Gaussian{Sigma: 1}, compute.DensePoints(x), c.y, c.o); !errors.Is(err, c.want) || s != nil {
			t.Errorf("%s: solution %v, error %v, want %v", name, s, err, c.want)
		}
	}
	if _, err := Fit(context.Background(), kernel.Gaussian{Sigma: 1}, compute.DensePoints(blas64.General{Stride: 1}), nil, Options{}); !errors.Is(err, rkhs.ErrEmpty) {
		t.Errorf("no rows: error %v", err)
	}
	if _, err := Path(context.Background(), kernel.Gaussian{Sigma: 1}, compute.DensePoints(x), y, nil, Options{}); !errors.Is(err, rkhs.ErrOption) {
		t.Errorf("no C: error %v", err)
	}
}

// The Gram matrix of 10000 rows would use 800 MB. The total allocation of a fit is below half of it.
func TestMemory(t *testing.T) {
	testutil.Long(t, "takes a second")
	x, y := problem(10000, 5, 13)
	for i := range y {
		y[i] = math.Copysign(1, x.Data[5*i])
	}
	bytes := testutil.Allocated(func() {
		if _, err := Fit(context.Background(), kernel.Gaussian{Sigma: 2}, compute.DensePoints(x), y, Options{}); err != nil {
			t.Fatal(err)
		}
	})
	if bytes > 400e6 {
		t.Errorf("%d MB", bytes>>20)
	}
}
