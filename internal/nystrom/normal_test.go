package nystrom

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// normalOf returns the normal equations on q of the rows with their right side.
func normalOf(t *testing.T, k kernel.Kernel, x, y compute.Matrix, q, others int, noise float64) (*Normal, compute.Matrix) {
	t.Helper()
	c, err := Draw(gram.Evaluator{Kernel: k}, compute.DensePoints(x), q, 0, 1, func(int, int) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	s := NewNormal(c.Centres, compute.DensePoints(x), nil, noise, true, func() bool { return false })
	right, ok := s.Right(y)
	if !ok || !s.See(c.At, others, 1, always) {
		t.Fatal("it stopped")
	}
	return s, right
}

// With all other rows as neighbours P is A, also for a kernel with a map of the rows.
func TestNormal(t *testing.T) {
	const n, q = 2100, 60
	x := points(n, 2)
	for _, k := range []kernel.Kernel{kernel.Gaussian{Sigma: 0.7}, kernel.ARD{Scales: []float64{2, 0.5}, Of: kernel.Matern{Nu: 1.5, Length: 1}}} {
		s, _ := normalOf(t, k, x, normals(n, 1), q, n, 1e-3)
		a, av, back := normals(q, 3), compute.NewMatrix(q, 3), compute.NewMatrix(q, 3)
		if !s.Apply(av, a) {
			t.Fatal("it stopped")
		}
		s.Precondition(back, av)
		for i, v := range a.Data {
			if math.Abs(back.Data[i]-v) > 1e-6 {
				t.Fatalf("%v: P⁻¹Aa = %v, want %v", k, back.Data[i], v)
			}
		}
	}
}

// TestNormalKeep expects the same bits from stored kernel values, which are computed once.
func TestNormalKeep(t *testing.T) {
	const n, q = 2100, 60
	k := &counting{of: kernel.Gaussian{Sigma: 0.7}}
	x, y := points(n, 2), normals(n, 2)
	products := func(keep bool) (compute.Matrix, compute.Matrix, int64) {
		c, err := Draw(gram.Evaluator{Kernel: k}, compute.DensePoints(x), q, 0, 1, func(int, int) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		s := NewNormal(c.Centres, compute.DensePoints(x), nil, 1e-3, true, func() bool { return false })
		if keep {
			s.Keep()
		}
		right, ok := s.Right(y)
		before, av := k.calls.Load(), compute.NewMatrix(q, 2)
		if !ok || !s.Apply(av, right) || !s.Apply(av, compute.Clone(av)) {
			t.Fatal("it stopped")
		}
		return right, av, k.calls.Load() - before
	}
	right, av, computed := products(false)
	keptRight, keptAv, again := products(true)
	if !slices.Equal(right.Data, keptRight.Data) || !slices.Equal(av.Data, keptAv.Data) {
		t.Error("stored values give other bits")
	}
	if computed == 0 || again != 0 {
		t.Errorf("%d kernel values after the first product, %d without storing", again, computed)
	}
}

// counting counts the values of a Gaussian that has only Eval.
type counting struct {
	of    kernel.Gaussian
	calls atomic.Int64
}

func (k *counting) Eval(x, y []float64) float64 {
	k.calls.Add(1)
	return k.of.Eval(x, y)
}

// A sample of eight rows per centre suffices for convergence in a dozen steps. One case has regions with
// few rows. In another case the centres of a very wide kernel represent a constant without a penalty.
func TestNormalSample(t *testing.T) {
	const n, q = 12000, 150
	x := normals(n, 4)
	for _, c := range []struct {
		of    kernel.Kernel
		noise float64
	}{{kernel.Gaussian{Sigma: 3}, 1e-4}, {kernel.Matern{Nu: 1.5, Length: 8}, 1e-4}, {kernel.Matern{Nu: 1.5, Length: 300}, 1e-11}} {
		t.Run(fmt.Sprint(c.of), func(t *testing.T) {
			y := compute.NewMatrix(n, 1)
			for i := range n {
				y.Data[i] = math.Sin(compute.Row(x, i)[0])
			}
			s, right := normalOf(t, c.of, x, y, q, 8*q, c.noise)
			size := math.Sqrt(compute.ColumnDots(right, right)[0])
			g := NewConjugate(s, right)
			g.Run(1e-6, func() float64 { return math.Sqrt(compute.ColumnDots(g.R, g.R)[0]) / size }, func(float64) bool { return g.steps < 100 })
			if g.steps > 25 {
				t.Errorf("%d steps", g.steps)
			}
		})
	}
}
