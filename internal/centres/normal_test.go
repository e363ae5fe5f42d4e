package centres

import (
	"fmt"
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// normalOf returns the equations on q of the rows, and these.
func normalOf(t *testing.T, k kernel.Kernel, x compute.Matrix, q, others int, noise float64) *Normal {
	t.Helper()
	c, err := Draw(kernel.Evaluator{Kernel: k}, x, q, 0, 1, func(int, int) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	return NewNormal(c.Centres, x, c.At, others, noise, true, 1, func() bool { return false }, always)
}

// With all other rows P is A, also of a kernel that maps rows first.
func TestNormal(t *testing.T) {
	const n, q = 2100, 60
	x := points(n, 2)
	for _, k := range []kernel.Kernel{kernel.Gaussian{Sigma: 0.7}, kernel.ARD{Scales: []float64{2, 0.5}, Of: kernel.Matern{Nu: 1.5, Length: 1}}} {
		s := normalOf(t, k, x, q, n, 1e-3)
		if _, ok := s.Right(normals(n, 1)); !ok {
			t.Fatal("it stopped")
		}
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

// A sample of eight rows a centre is enough for a dozen steps, where rows are few in places.
func TestNormalSample(t *testing.T) {
	const n, q = 12000, 150
	x := normals(n, 4)
	for _, k := range []kernel.Kernel{kernel.Gaussian{Sigma: 3}, kernel.Matern{Nu: 1.5, Length: 8}} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			s := normalOf(t, k, x, q, 8*q, 1e-4)
			y := compute.NewMatrix(n, 1)
			for i := range n {
				y.Data[i] = math.Sin(compute.Row(x, i)[0])
			}
			right, _ := s.Right(y)
			size := math.Sqrt(compute.ColumnDots(right, right)[0])
			g := NewConjugate(s, right)
			g.Run(1e-6, func() float64 { return math.Sqrt(compute.ColumnDots(g.R, g.R)[0]) / size }, func(float64) bool { return g.steps < 100 })
			if g.steps > 25 {
				t.Errorf("%d steps", g.steps)
			}
		})
	}
}
