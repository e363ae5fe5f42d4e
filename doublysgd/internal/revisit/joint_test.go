package revisit

import (
	"math"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// Each block of features can fit the few rows exactly. The joint solution must still be the
// minimum: up to the rounding of a dense solution after one joint step, and up to the tolerance
// if one is set.
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
		p := problem(t, x, &descent.Risk{Scalar: c.loss, Y: y}, columns)
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

// The leave-one-out prediction of a row must equal the prediction of a fit to the other rows: with and
// without weights, with a constant much larger than the ridge, and in single precision.
func TestLeaveOneOut(t *testing.T) {
	const n, columns, count = 60, 32, 4
	x, y := waves(n, 0.1, 3)
	weights := make(compute.Weights, n)
	for i := range weights {
		weights[i] = .2 + float64(i%7)
	}
	for _, c := range []struct {
		name    string
		weights compute.Weights
		ridge   float64
		single  bool
		bound   float64
	}{
		{"plain", nil, 1e-3, false, 1e-8},
		{"small ridge", nil, 1e-9, false, 1e-3},
		{"weights", weights, 1e-3, false, 1e-8},
		{"single precision", nil, 1e-3, true, 1e-4},
		{"weights in single precision", weights, 1e-2, true, 1e-4},
	} {
		risk := squared(y)
		risk.Weights = c.weights
		p := problem(t, x, risk, columns)
		p.Joint, p.Ridge, p.Single, p.Converge = true, c.ridge, c.single, false
		s := solver(t, p, count)
		if s.joint.single != c.single {
			t.Fatalf("%s: single precision is %v", c.name, s.joint.single)
		}
		s.Pass(0, func(int) {})
		_, others, all, ok := s.LeaveOneOut()
		if !ok || all.Rows != n {
			t.Fatalf("%s: not known", c.name)
		}
		for i := 0; i < n; i += 13 {
			q := problem(t, x, risk, columns)
			q.Order = append(slices.Delete(slices.Clone(q.Order), i, i+1), i)
			// The ridge is relative to the total weight of the other rows.
			q.Train, q.Joint, q.Converge = n-1, true, false
			q.Ridge = c.ridge * s.weight / (s.weight - risk.Weights.At(i))
			without := solver(t, q, count)
			without.Pass(0, func(int) {})
			_, want := without.HeldOut()
			for o, v := range compute.Row(want, 0) {
				if d := math.Abs(compute.Row(others, i)[o] - v); !(d < c.bound) {
					t.Errorf("%s: row %d: off by %.2g", c.name, i, d)
				}
			}
		}
	}
}
