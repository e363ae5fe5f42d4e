package descent

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/nystrom"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// wave draws rows of the plane and a function of them with noise.
func wave(n int, seed uint64) (x, y compute.Matrix) {
	draw := rng.New(seed, "wave", 0)
	x, y = compute.NewMatrix(n, 2), compute.NewMatrix(n, 1)
	for i := range n {
		a, b := 10*draw.Float64()-5, 10*draw.Float64()-5
		copy(compute.Row(x, i), []float64{a, b})
		s := math.Hypot(a, b)
		y.Data[i] = math.Cos(math.Pi/2*s)*math.Exp(-math.Pi/10*s) + 0.1*draw.Float64()
	}
	return x, y
}

// For every ridge the solution is the minimum over the whole space of the kernel, not only over
// the centres. The returned function must have the values of the iteration.
func TestRidge(t *testing.T) {
	const n, steps = 300, 48
	x, y := wave(n, 1)
	k := kernel.Gaussian{Sigma: 1}
	o := Config{Kernel: k, MaxPoints: 40, Columns: 512, Features: steps * 512, Seed: 3, CacheSize: blocks.DefaultCache, MemoryLimit: input.DefaultMemory}
	monitor := progress.New(context.Background(), nil, "hybrid")
	defer monitor.Close()
	for _, nu := range []float64{1e-1, 1e-2} {
		p, err := NewSpace(o, compute.DensePoints(x), 1, 0, monitor)
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewRidge(p, y, nu)
		if err != nil {
			t.Fatal(err)
		}
		want := exact(t, k, x, y, n*nu)
		_, alone := r.Solve(r.Iterates.Mean)
		for range steps {
			r.Step()
		}
		phi, f := r.Solve(r.Iterates.Mean)
		size := floats.Norm(want, 2)
		before, after := floats.Distance(alone.Data, want, 2)/size, floats.Distance(f.Data, want, 2)/size
		t.Logf("nu = %v: relative error %.4f, of the centres alone %.4f", nu, after, before)
		if after > 0.03 || before < 5*after {
			t.Errorf("nu = %v: relative error %.4f, of the centres alone %.4f", nu, after, before)
		}
		got := compute.NewMatrix(n, 1)
		if err := r.Iterates.Function(phi).EvalTo(got, compute.DensePoints(x)); err != nil {
			t.Fatal(err)
		}
		if d := floats.Distance(got.Data, f.Data, math.Inf(1)); d > 1e-9 {
			t.Errorf("nu = %v: the function is off its values by %.2g", nu, d)
		}
	}
}

// exact returns K(K + noise·I)⁻¹y.
func exact(t *testing.T, k kernel.Kernel, x, y compute.Matrix, noise float64) []float64 {
	t.Helper()
	of := gram.Evaluator{Kernel: k}
	c, _, err := nystrom.New(of, compute.DensePoints(x), x.Rows, 0, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := nystrom.NewSystem(c, compute.DensePoints(x), noise, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	solution := nystrom.NewConjugate(s, y)
	solution.Run(1e-12, func() float64 { return floats.Norm(solution.R.Data, 2) }, func(float64) bool { return true })
	f := make([]float64, x.Rows)
	for i := range f {
		f[i] = y.Data[i] - noise*solution.X.Data[i]
	}
	return f
}
