package alignment

import (
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestAlignmentIsThatOfTheKernel compares the reported alignment with its definition on rows that
// are not centred, including kernels that depend on the origin or have a limited domain.
func TestAlignmentIsThatOfTheKernel(t *testing.T) {
	x, y := problem(60, 2, 9)
	for i, v := range x.Data {
		x.Data[i] = math.Abs(v) + 0.5
	}
	for i := range y.Data {
		y.Data[i] = math.Copysign(1, compute.Row(x, i)[0]-compute.Row(x, i)[1]+0.1*float64(i%5))
	}
	for _, family := range []kernel.Kernel{
		kernel.Gaussian{}, kernel.Laplacian{}, kernel.Matern{Nu: 2.5}, kernel.Dirichlet{},
		kernel.ARD{Of: kernel.Gaussian{}}, kernel.ARD{Of: kernel.Laplacian{}}, kernel.ARD{Of: kernel.Linear{}},
		kernel.ARD{Of: kernel.Polynomial{Degree: 2, Scale: 1, Offset: 1}},
		kernel.RationalQuadratic{Alpha: 1, Length: 1}, kernel.Polynomial{Degree: 3, Scale: 1, Offset: 1}, kernel.ExponentialSemigroup{Beta: 1},
	} {
		res, err := runOf(t, Options{Family: family}).learn(examples{x: x, y: y}, 0.01)
		if err != nil {
			t.Errorf("%v: %v", family, err)
			continue
		}
		want := alignmentOf(res.Kernel, x, y)
		if math.Abs(res.Alignment-want) > 1e-5 {
			t.Errorf("%v: alignment %v, that of the kernel is %v", family, res.Alignment, want)
		}
		if got := alignmentOn(examples{x: x, y: y}, res.Kernel, 0); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v: alignment on validation rows %v, want %v", family, got, want)
		}
		if len(res.Iterations) == 0 {
			t.Errorf("%v: no kernel was found", family)
		}
	}
}
