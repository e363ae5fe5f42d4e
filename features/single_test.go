package features_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestSingle compares features in single precision with those in double: angles
// up to some tens are right to a few units of 2⁻²⁴ times their size.
func TestSingle(t *testing.T) {
	const n, d, columns = 33, 20, 100
	m, err := features.New(kernel.Gaussian{Sigma: 1.5}, d, features.Options{Seed: 4, Columns: columns})
	if err != nil {
		t.Fatal(err)
	}
	x, x32 := make([]float64, n*d), make([]float32, n*d)
	for i := range x {
		x32[i] = float32(math.Sin(float64(i)))
		x[i] = float64(x32[i])
	}
	z, z32 := make([]float64, n*columns), make([]float32, n*columns)
	m.Block(3).TransformTo(blas64.General{Rows: n, Cols: columns, Stride: columns, Data: z}, blas64.General{Rows: n, Cols: d, Stride: d, Data: x})
	m.Block(3).(interface{ TransformTo32(dst, x blas32.General) }).TransformTo32(blas32.General{Rows: n, Cols: columns, Stride: columns, Data: z32}, blas32.General{Rows: n, Cols: d, Stride: d, Data: x32})
	for i, v := range z {
		if e := math.Abs(v - float64(z32[i])); !(e < 1e-6) {
			t.Fatalf("feature %d is %v, in single precision %v", i, v, z32[i])
		}
	}
}
