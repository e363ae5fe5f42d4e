package features_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestSingle compares single-precision with double-precision features. Angles up to some tens are accurate
// to a few units of 2⁻²⁴ times their size.
func TestSingle(t *testing.T) {
	const n, d, columns = 33, 20, 100
	map_ := mat.NewDense(7, d, nil)
	scales := make([]float64, d)
	for j := range d {
		scales[j] = 1 + float64(j)/d
		map_.Set(j%7, j, 1.5)
	}
	gaussian := kernel.Gaussian{Sigma: 1.5}
	for _, k := range []kernel.Kernel{gaussian, kernel.ARD{Scales: scales, Of: gaussian}, kernel.Projected{L: map_, Of: gaussian}, kernel.ARD{Scales: scales, Of: kernel.Projected{L: map_, Of: gaussian}}} {
		testSingle(t, k, n, d, columns)
	}
}

func testSingle(t *testing.T, k kernel.Kernel, n, d, columns int) {
	m, err := features.New(k, d, features.Options{Seed: 4, Columns: columns})
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
	transform, ok := features.Single(m.Block(3))
	if !ok {
		t.Fatalf("%v has no features in single precision", k)
	}
	transform(blas32.General{Rows: n, Cols: columns, Stride: columns, Data: z32}, blas32.General{Rows: n, Cols: d, Stride: d, Data: x32})
	for i, v := range z {
		if e := math.Abs(v - float64(z32[i])); !(e < 1e-6) {
			t.Fatalf("%v: feature %d is %v, in single precision %v", k, i, v, z32[i])
		}
	}
}

// TestNotSingle covers blocks without single precision, where rounded codes would be different codes.
func TestNotSingle(t *testing.T) {
	for _, k := range []kernel.Kernel{kernel.OneHot{Levels: [][]float64{{.1, .2}, nil}, Of: kernel.Gaussian{Sigma: 1}}, kernel.Polynomial{Degree: 2, Offset: 1}} {
		m, err := features.New(k, 2, features.Options{Columns: 16})
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := features.Single(m.Block(0)); ok {
			t.Errorf("%v has features in single precision", k)
		}
	}
}
