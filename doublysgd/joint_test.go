package doublysgd_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// Where each block of features can fit the few rows alone, all of them together are still
// at the minimum: by default as far as rounding lets a dense solution be, and with a
// tolerance as far as it says.
func TestFewRowsManyBlocks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const n = 120
	x, y := mat.NewDense(n, 20, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		for j := range 20 {
			x.Set(i, j, random.NormFloat64())
		}
		y.Set(i, 0, math.Sin(x.At(i, 0))+x.At(i, 1)*x.At(i, 2))
	}
	for _, c := range []struct {
		name  string
		opts  doublysgd.Options
		bound float64
	}{
		{"default", doublysgd.Options{}, 1e-6},
		{"tolerance", doublysgd.Options{Tolerance: 1e-10}, 1e-10},
		{"huber", doublysgd.Options{Tolerance: 1e-8, Loss: loss.Huber{Delta: 0.1}}, 1e-8},
	} {
		c.opts.Kernel, c.opts.Ridge, c.opts.Features = kernel.Laplacian{Sigma: 10}, 1e-7, 4096
		m, err := doublysgd.Fit(context.Background(), x, y, &c.opts)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if g := m.Report().Gradient; !(g <= c.bound) || m.Report().ModelOrder < 2 {
			t.Errorf("%s: the gradient is %.2g of that at zero with %d blocks, want %.2g", c.name, g, m.Report().ModelOrder, c.bound)
		}
		t.Logf("%s: gradient %.2g after %d passes", c.name, m.Report().Gradient, m.Report().Passes)
	}
}
