package revisit

import (
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/doublysgd/internal/batches"
	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// Where each block of features can fit the few rows alone, all of them together are still
// at the minimum: after one joint step as far as rounding lets a dense solution be, and with
// a tolerance as far as it says.
func TestFewRowsManyBlocks(t *testing.T) {
	const n, columns, count = 120, 256, 16
	x, y := gaussians(n, 20, 1), compute.NewMatrix(n, 1)
	for i := range n {
		r := compute.Row(x, i)
		y.Data[i] = math.Sin(r[0]) + r[1]*r[2]
	}
	for _, c := range []struct {
		name  string
		loss  loss.Scalar
		bound float64
	}{
		{"one step", loss.Squared{}, 1e-6},
		{"tolerance", loss.Squared{}, 1e-10},
		{"huber", loss.Huber{Delta: 0.1}, 1e-8},
	} {
		p := problem(t, x, &batches.Risk{Scalar: c.loss, Y: y}, columns)
		f, err := blocks.Zero(kernel.Laplacian{Sigma: 10}, 20, 1, features.Options{Columns: columns}, blocks.DefaultCache)
		if err != nil {
			t.Fatal(err)
		}
		p.Function, p.Joint, p.Ridge, p.Converge = f, true, 1e-7, c.name != "one step"
		s := solver(t, p, count)
		if s.joint == nil || s.Exact() != loss.Quadratic(c.loss) {
			t.Fatalf("%s: no joint step, or one pass is taken for exact: %v", c.name, s.Exact())
		}
		passes := 1
		if p.Converge {
			passes = converge(t, s, c.bound)
		} else {
			s.Pass(0, func(int) {})
		}
		if g, _ := s.Certificate(); !(g <= c.bound) {
			t.Errorf("%s: the gradient is %.2g of that at zero after %d passes, want %.2g", c.name, g, passes, c.bound)
		}
	}
}
