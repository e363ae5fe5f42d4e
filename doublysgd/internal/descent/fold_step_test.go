package descent

import (
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// TestDualStep: the dual equations have the solution of the normal equations, with and without
// weights, for the first and for a later step.
func TestDualStep(t *testing.T) {
	const n = 30
	x, y := wave(n, 2)
	weights := make(compute.Weights, n)
	for i := range weights {
		weights[i] = 0.5 + float64(i%4)
	}
	o := Config{Kernel: kernel.Gaussian{Sigma: 1}, Newton: true, Columns: 64, Features: 64, Seed: 3,
		CacheSize: blocks.DefaultCache, MemoryLimit: input.DefaultMemory}
	f, err := o.Zero(o.Kernel, 2, 1, o.Columns)
	if err != nil {
		t.Fatal(err)
	}
	s := o.Start(f, o.Columns, n)
	for _, w := range []compute.Weights{nil, weights} {
		for _, s.Steps = range []int{0, 3} {
			risk := &Risk{Scalar: loss.Squared{}, Y: y, Weights: w, Workers: 1}
			sample := Sample{X: compute.DensePoints(x), Risk: risk, Scores: compute.NewMatrix(n, 1)}
			z := s.Features(0, sample.X)
			primal := newNormalStep(s, 0, sample)
			primal.n.Damping = float64(s.Steps+2) * risk.Total() / 2
			want := primal.solve(1e-3)
			alpha, shift, ok := newDualStep(s, z, sample).solve(compute.Indices(n), 1e-3)
			if !ok {
				t.Fatal("singular equations")
			}
			got := compute.NewMatrix(z.Cols, 1)
			compute.MulTN(got, z, alpha, 1)
			for j, v := range want.a.Data {
				if d := math.Abs(got.Data[j] - v); d > 1e-9 {
					t.Fatalf("weights %v, %d steps: coefficient %d is %v, want %v", w != nil, s.Steps, j, got.Data[j], v)
				}
			}
			if d := math.Abs(shift[0] - want.shift[0]); d > 1e-9 {
				t.Errorf("weights %v, %d steps: constant %v, want %v", w != nil, s.Steps, shift, want.shift)
			}
		}
	}
}
