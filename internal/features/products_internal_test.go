package features

import (
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestProductsAreKept: kernels with the same column scales share a draw, and different scales draw again
// and discard the previous products.
func TestProductsAreKept(t *testing.T) {
	const cols = wideColumns + 1
	s := compute.NewSparse(cols, 1, 1)
	s.Append(3, 2)
	s.EndRow()
	p := Products{Budget: 1 << 10}
	block := func(scale float64, of kernel.Kernel) *compute.Matrix {
		m, err := New(kernel.ARD{Scales: slices.Repeat([]float64{scale}, cols), Of: of}, cols, Options{Columns: 4})
		if err != nil {
			t.Fatal(err)
		}
		p.TransformPoints(m.Block(0), compute.NewMatrix(1, m.Columns()), compute.SparsePoints(s))
		if len(p.kept) != 1 {
			t.Fatalf("the products of %d sequences are kept", len(p.kept))
		}
		for _, kept := range p.kept {
			return &kept
		}
		return nil
	}
	first, same := block(2, kernel.Gaussian{Sigma: 1}), block(2, kernel.Matern{Nu: 1.5, Length: 3})
	if other := block(3, kernel.Gaussian{Sigma: 1}); &first.Data[0] != &same.Data[0] || &first.Data[0] == &other.Data[0] {
		t.Error("products of the same scales are drawn again, or products of other scales are reused")
	}
}
