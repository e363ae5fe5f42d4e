package kernel_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/gram"
	. "github.com/rkhs-go/rkhs/kernel"
)

// Few values of a radial kernel have the bits of a sum in order. Many values, and all values of
// other kernels, have the bits of the blocks.
func TestUnblocked(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	cross := func(e gram.Evaluator, x, z *mat.Dense) *mat.Dense {
		dst := mat.NewDense(x.RawMatrix().Rows, z.RawMatrix().Rows, nil)
		e.Cross(dst.RawMatrix(), x.RawMatrix(), z.RawMatrix())
		return dst
	}
	for _, k := range []Kernel{Gaussian{2}, Matern{0.7, 2}, ownRadial{evalOnly{2}}, struct{ Gaussian }{Gaussian{1}}, Linear{}, Laplacian{2}, Sum{Gaussian{1}}} {
		radial, isRadial := k.(Radial)
		for _, sizes := range [][3]int{{1, 1, 1}, {3, 20, 7}, {8, 16, 16}, {8, 16, 17}} {
			x, z := randomMatrix(r, sizes[0], sizes[2]), randomMatrix(r, sizes[1], sizes[2])
			want := cross(gram.Evaluator{Kernel: k}, x, z)
			if isRadial && sizes[0]*sizes[1]*sizes[2] <= 2048 {
				for i := range sizes[0] {
					for j := range sizes[1] {
						want.Set(i, j, distance2(x.RawRowView(i), z.RawRowView(j)))
					}
					radial.OfSquaredDistance(want.RawRowView(i))
				}
			}
			if got := cross(gram.Evaluator{Kernel: k, Unblocked: true}, x, z); !sameElements(got, want) {
				t.Errorf("%v: unblocked values of %v rows are not what they should be", k, sizes)
			}
			x = mat.DenseCopyOf(x.Slice(0, 1, 0, sizes[2]))
			got, want := mat.NewDense(1, 1, nil), cross(gram.Evaluator{Kernel: k, Unblocked: true}, x, x)
			gram.Evaluator{Kernel: k, Unblocked: true}.Gram(got.RawMatrix(), x.RawMatrix())
			if !sameElements(got, want) {
				t.Errorf("%v: Gram of one row is %v, Cross %v", k, got, want)
			}
		}
	}
}

func TestUnblockedAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("pools do not hold under the race detector")
	}
	x, dst := mat.NewDense(3, 2, nil).RawMatrix(), mat.NewDense(3, 3, nil).RawMatrix()
	e := gram.Evaluator{Kernel: Gaussian{1}, Unblocked: true}
	if n := testing.AllocsPerRun(10, func() { e.Cross(dst, x, x) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
