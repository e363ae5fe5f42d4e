package compute

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Distances match a naive sum. All engines give the same bits, for any number of rows and
// columns.
func TestAbsoluteDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, d := range []int{0, 1, 3, 4, 7, 20, 130, 5000} {
		for _, m := range []int{0, 1, 5, 8, 33, 300} {
			const n = 3
			x, z := NewMatrix(n, d), NewMatrix(m, d)
			for _, a := range []Matrix{x, z} {
				for i := range a.Data {
					a.Data[i] = r.NormFloat64()
				}
			}
			want := NewMatrix(n, m)
			engines64[len(engines64)-1].absoluteDistances(of64(want), of64(x), of64(z), -2)
			for i := range n {
				for j := range m {
					sum := 0.0
					for k, v := range Row(x, i) {
						sum += math.Abs(v - Row(z, j)[k])
					}
					if v := Row(want, i)[j]; math.Abs(v+sum/2) > 1e-14*sum {
						t.Fatalf("%d columns: %v, want %v", d, v, -sum/2)
					}
				}
			}
			for _, e := range engines64 {
				got := NewMatrix(n, m)
				e.absoluteDistances(of64(got), of64(x), of64(z), -2)
				if !slices.Equal(got.Data, want.Data) {
					t.Errorf("%s: %d rows of %d columns have other bits", e.name, m, d)
				}
			}
		}
	}
}
