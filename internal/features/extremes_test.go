package features_test

import (
	"math"
	"runtime"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestExtremes checks that features are finite for parameters at the ends of their ranges and points of
// any size, and that k(x, x) = 1 is preserved.
func TestExtremes(t *testing.T) {
	for _, k := range []kernel.Kernel{
		kernel.Gaussian{Sigma: 1e-150}, kernel.Gaussian{Sigma: 1e150},
		kernel.Matern{Nu: 1e-8, Length: 1e-100}, kernel.Matern{Nu: 1e8, Length: 1},
		kernel.RationalQuadratic{Alpha: 1e-150, Length: 1}, kernel.RationalQuadratic{Alpha: 1e150, Length: 1},
		kernel.RationalQuadratic{Alpha: 1e-3, Length: 1e-100},
		kernel.Laplacian{Sigma: 1e-100}, kernel.Cauchy{Sigma: 1e150},
		kernel.SkewedChiSquared{C: 0}, kernel.SkewedIntersection{C: 1e300},
	} {
		checkExtreme(t, k, true)
	}
	for _, k := range []kernel.Kernel{
		kernel.Intersection{}, kernel.JensenShannon{}, kernel.AdditiveChiSquared{}, kernel.Hellinger{},
		kernel.ExponentialSemigroup{Beta: 1e150}, kernel.ExponentialSemigroup{Beta: 1e-150},
		kernel.ReciprocalSemigroup{Lambda: 1e-150}, kernel.ReciprocalSemigroup{Lambda: 1e150},
		kernel.ArcCosine{Order: 1}, kernel.Polynomial{Degree: 1}, kernel.Scale{By: 1e300, Of: kernel.Gaussian{Sigma: 1}},
		kernel.DotProduct{Coefficients: []float64{0, 0}},
	} {
		checkExtreme(t, k, false)
	}
}

func checkExtreme(t *testing.T, k kernel.Kernel, normalized bool) {
	t.Helper()
	x := compute.Matrix{Rows: 5, Cols: 2, Stride: 2, Data: []float64{1, 2, 1e-300, 5e-324, 1e100, 1e-100, 1e140, 1e150, 3, 1e15}}
	for _, s := range []features.Sampler{features.Independent, features.Auto} {
		m := mapOf(t, k, 2, features.Options{Columns: 64, Sampler: s})
		z := compute.NewMatrix(x.Rows, m.Columns())
		m.Block(0).TransformTo(z, x)
		for i := range x.Rows {
			sum := 0.0
			for _, v := range rowOf(z, i) {
				if v-v != 0 {
					t.Fatalf("%v, %v: a feature of %v is %v", k, s, rowOf(x, i), v)
				}
				sum += v * v
			}
			if normalized && math.Abs(sum-1) > 1e-13 {
				t.Errorf("%v, %v: |φ(x)|² of %v is %v", k, s, rowOf(x, i), sum)
			}
		}
	}
}

// TestNoProducts uses a block without inner products and with newly allocated memory.
func TestNoProducts(t *testing.T) {
	runtime.GC()
	runtime.GC() // twice, since pools keep objects for one collection
	checkExtreme(t, kernel.DotProduct{Coefficients: []float64{0}}, false)
}
