package slkl_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

// TestExtremeParameters must end without a panic, with a model that predicts and
// can be saved, or with an error of package rkhs.
func TestExtremeParameters(t *testing.T) {
	x, y := sample(60, 3, 2, 1)
	for name, o := range variants() {
		for _, nu := range []float64{5e-324, 1e-100, 1e-20, 1e-12, 1e100} {
			for _, lam := range []float64{1e-300, 1e-100, 1e-8, 1, 1e8, 1e100} {
				t.Run(fmt.Sprintf("%s, nu %g, lam %g", name, nu, lam), func(t *testing.T) {
					o.Penalty, o.Ridge, o.Iterations = nu, lam, 500
					survives(t, x, y, &o)
				})
			}
		}
	}
}

func survives(t *testing.T, x, y mat.Matrix, o *slkl.Options) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	m, err := slkl.Fit(ctx, x, y, o)
	if err != nil && !errors.Is(err, rkhs.ErrNotConverged) && !errors.Is(err, rkhs.ErrDiverged) && !errors.Is(err, rkhs.ErrOption) {
		t.Errorf("error %v", err)
	}
	if err == nil && m == nil || m != nil && (!finite(predict(t, m, x)) || !finite(predict(t, roundTrip(t, m), x))) {
		t.Errorf("no model that predicts, error %v", err)
	}
}

// TestHugeData has finite numbers with infinite squares.
func TestHugeData(t *testing.T) {
	x, y := sample(60, 3, 1, 1)
	kernels := map[string][]kernel.Kernel{"default": nil, "linear": {kernel.Linear{}}, "polynomial": {kernel.Polynomial{Degree: 3, Offset: 1}}}
	for name, k := range kernels {
		for _, scale := range []float64{1e-200, 1e100, 1e160, 1e300} {
			for _, low := range []bool{false, true} {
				o := slkl.Options{Kernels: k, Penalty: 0.01, Paper: slkl.Paper{LowMemory: low, Iterations: 500}}
				var big mat.Dense
				big.Scale(scale, x)
				t.Run(fmt.Sprintf("%s, features × %g, low memory %v", name, scale, low), func(t *testing.T) { survives(t, &big, y, &o) })
				big.Reset()
				big.Scale(scale, y)
				t.Run(fmt.Sprintf("%s, targets × %g, low memory %v", name, scale, low), func(t *testing.T) { survives(t, x, &big, &o) })
			}
		}
	}
}
