package polk

import (
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// The few values that are computed directly agree with the blocks, for kernels
// that are functions of the distance and for others, and for rows with a stride.
func TestEvaluateAgreesWithBlocks(t *testing.T) {
	r := newRand(8)
	for _, k := range []kernel.Kernel{kernel.Gaussian{Sigma: 0.8}, kernel.Cauchy{Sigma: 2}, kernel.Laplacian{Sigma: 1}, kernel.Polynomial{Degree: 2, Scale: 1, Offset: 1}} {
		e := kernel.Evaluator{Kernel: k, Workers: 1}
		for _, n := range []int{0, 1, 3} {
			for _, m := range []int{0, 1, 20, 2000} {
				x := compute.Matrix{Rows: n, Cols: 3, Stride: 5, Data: normals(r, n, 5).Data}
				z := normals(r, m, 3)
				got, want := compute.NewMatrix(n, m), compute.NewMatrix(n, m)
				evaluate(e, got, x, z)
				e.Cross(want, x, z)
				for i, v := range got.Data {
					if math.Abs(v-want.Data[i]) > 1e-13*(1+math.Abs(v)) {
						t.Fatalf("%v, %d×%d: value %v, want %v", k, n, m, v, want.Data[i])
					}
				}
			}
		}
	}
}
