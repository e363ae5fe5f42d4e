package blocks

import (
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// TestPackedNormal packs the factor of the equations of some rows. Unpacked into a used square it
// must solve with the same bits. After more rows and another ridge it must equal equations that were
// never packed, up to rounding.
func TestPackedNormal(t *testing.T) {
	const m, ridge = 150, 0.5
	z, b := gaussians(400, m, 1), gaussians(m, 2, 2)
	of := func(n *Normal, to int) {
		n.Restore(2)
		part, sums := compute.Rows(z, n.Rows, to), compute.RowOf(n.Sums)
		compute.AddGram(n.Square, part, 2)
		for i := range part.Rows {
			compute.AddRowTo(sums.Data, 1, compute.Row(part, i))
		}
		n.Store(to, float64(to))
	}
	solve := func(n *Normal, ridge float64) compute.Matrix {
		n.Factor(ridge, 2)
		x := compute.Clone(b)
		n.Solve(x, 2)
		return x
	}
	for _, single := range []bool{false, true} {
		// The smallest eigenvalues determine the accuracy of a solution in single precision.
		exact, near := 0.0, 1e-12
		if single {
			exact, near = 1e-5, 1e-5
		}
		plain, packed, square, panel := NewNormal(m), NewPackedNormal(m, single), gaussians(m, m, 3), gaussians(RecoveredRows, m, 5)
		packed.Unpack(square, panel)
		for _, n := range []*Normal{plain, packed} {
			of(n, 300)
		}
		want := solve(plain, ridge)
		solve(packed, ridge)
		packed.Pack()
		copy(square.Data, gaussians(m, m, 4).Data)
		packed.Unpack(square, panel)
		for i, v := range solve(packed, ridge).Data {
			if math.Abs(v-want.Data[i]) > exact {
				t.Fatalf("solution %d is %v from an unpacked factor, %v before", i, v, want.Data[i])
			}
		}
		for _, n := range []*Normal{plain, packed} {
			of(n, 400)
		}
		want = solve(plain, 2*ridge)
		for i, v := range solve(packed, 2*ridge).Data {
			if math.Abs(v-want.Data[i]) > near {
				t.Fatalf("solution %d is %v, of equations that were packed %v", i, want.Data[i], v)
			}
		}
	}
}
