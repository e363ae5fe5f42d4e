package features_test

import (
	"math"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestRows compares features of fixed rows, with few and many columns, with TransformPoints bit for bit,
// and in single precision with the rounded values.
func TestRows(t *testing.T) {
	const n, columns = 700, 60
	for _, cols := range []int{300, 20000} {
		x, err := input.Points("test", "x", words(n, cols))
		if err != nil {
			t.Fatal(err)
		}
		order := compute.Indices(n)
		slices.Reverse(order)
		for _, k := range []kernel.Kernel{
			kernel.Gaussian{Sigma: 1.5}, kernel.Matern{Nu: 1.5, Length: 2},
			kernel.ARD{Scales: slices.Repeat([]float64{2}, cols), Of: kernel.Matern{Nu: 1.5, Length: 2}},
			kernel.Product{kernel.Gaussian{Sigma: 2}, kernel.Cauchy{Sigma: 6}},
		} {
			m, err := features.New(k, cols, features.Options{Columns: columns})
			if err != nil {
				t.Fatal(err)
			}
			if !features.ServesSingleRows(m.Block(0)) {
				t.Fatalf("%v: none in single precision", k)
			}
			rows, want, same := features.NewRows(m.Block(0), x, order, 2), compute.NewMatrix(n, columns), compute.NewMatrix(n, columns)
			for b := range uint64(2) {
				features.TransformPoints(m.Block(b), want, x.Pick(order))
				if rows.TransformTo(m.Block(b), same); !slices.Equal(same.Data, want.Data) {
					t.Fatalf("%v of %d columns, block %d: other bits than those of TransformPoints", k, cols, b)
				}
				got := rows.Single(m.Block(b), columns)
				for i, v := range want.Data {
					if g := got.Data[i/columns*got.Stride+i%columns]; math.Abs(float64(g)-v) > 1e-7 {
						t.Fatalf("%v of %d columns, block %d: element %d is %v, want %v", k, cols, b, i, g, v)
					}
				}
			}
		}
	}
	m, err := features.New(kernel.Linear{}, 300, features.Options{Columns: 300})
	if err != nil {
		t.Fatal(err)
	}
	if features.ServesSingleRows(m.Block(0)) {
		t.Error("exact features are in single precision")
	}
}
