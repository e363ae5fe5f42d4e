package kernel_test

import (
	"testing"

	"github.com/rkhs-go/rkhs/internal/gram"
	. "github.com/rkhs-go/rkhs/kernel"
	"gonum.org/v1/gonum/mat"
)

// TestSymmetric compares products with half of K to products with all of K, also for rows far
// from the origin and weights in extreme units. Other kernels have no symmetric form.
func TestSymmetric(t *testing.T) {
	never := func() bool { return false }
	x, w := cloud(700, 6, 1e4, 1), cloud(700, 3, 0, 2)
	for i := range w.Data {
		w.Data[i] *= 1e50
	}
	directions := mat.NewDense(2, 6, []float64{1, 0, 0, 2, 0, 0, 0, .5, 0, 0, 0, 1})
	for _, k := range []Kernel{Gaussian{Sigma: 3}, Matern{Nu: 1.5, Length: 4}, Scale{By: 7, Of: Matern{Nu: 0.5, Length: 4}}, Projected{L: directions, Of: Gaussian{Sigma: 2}}} {
		e := gram.Evaluator{Kernel: k}
		want, got := empty(700, 3), empty(700, 3)
		e.Mul(want, x, x, w)
		if !e.Symmetric(x).AddMul(got, w, never) {
			t.Errorf("%v: stopped by nobody", k)
		}
		if off := farther(got, want); !(off < 3e-6) {
			t.Errorf("%v is off by %g", k, off)
		}
	}
	for _, k := range []Kernel{Laplacian{Sigma: 3}, Sum{Gaussian{Sigma: 2}, Linear{}}, evalOnly{2}} {
		if (gram.Evaluator{Kernel: k}).Symmetric(x) != nil {
			t.Errorf("%v has a form in single precision", k)
		}
	}
}
