package nystrom

import (
	"math"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

func always(int) bool { return true }

func regressionOf(n int, noise float64) *Regression {
	return &Regression{Of: gram.Evaluator{Kernel: kernel.Matern{Nu: 0.5, Length: 2}}, X: compute.DensePoints(points(n, 2)), Noise: noise,
		Stopped: func() bool { return false }}
}

func normals(n, k int) compute.Matrix {
	draw, m := rng.New(2, "normals", 0), compute.NewMatrix(n, k)
	for i := range m.Data {
		m.Data[i] = draw.NormFloat64()
	}
	return m
}

// Products with half of K equal products with K, across panels, and neighbours are the nearest of the later
// rows.
func TestRegression(t *testing.T) {
	const n, near = 1100, 7
	s := regressionOf(n, 0.1)
	v := normals(n, 3)
	got, want := compute.NewMatrix(n, 3), compute.NewMatrix(n, 3)
	s.Product(want, v)
	if !s.Panels(true, near, always) || !s.Product(got, v) {
		t.Fatal("it stopped")
	}
	for i, w := range want.Data {
		if math.Abs(got.Data[i]-w) > 1e-11 {
			t.Fatalf("product %v, want %v", got.Data[i], w)
		}
	}
	for _, i := range []int{0, 511, 512, n - 5, n - 1} {
		order := compute.Indices(n)[i+1:]
		slices.SortFunc(order, func(a, b int) int {
			k := s.Of.Kernel
			if k.Eval(compute.Row(s.X.Matrix, i), compute.Row(s.X.Matrix, a)) > k.Eval(compute.Row(s.X.Matrix, i), compute.Row(s.X.Matrix, b)) {
				return -1
			}
			return 1
		})
		order = order[:min(near, len(order))]
		slices.Sort(order)
		for at, j := range s.near[i] {
			if len(s.near[i]) != len(order) || int(j) != order[at] {
				t.Fatalf("neighbours of %d: %v, want %v", i, s.near[i], order)
			}
		}
	}
}

// With all later rows as neighbours P is A. With few of them a handful of steps suffices where plain centres
// need many.
func TestNeighbours(t *testing.T) {
	for _, c := range []struct{ n, near, most int }{{120, 120, 2}, {1500, 16, 20}} {
		s := regressionOf(c.n, 1e-6)
		e, err := Draw(s.Of, s.X, c.n/20, 0, 1, func(int, int) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		steps := func(near int) int {
			s.Panels(true, near, always)
			s.SetInverse(NewNeighbours(s, compute.Clone(e.E), always))
			b := normals(c.n, 2)
			g := NewConjugate(s, b)
			g.Run(1e-6, func() float64 { return math.Sqrt(compute.ColumnDots(g.R, g.R)[0] / float64(c.n)) }, func(float64) bool { return g.steps < 500 })
			return g.steps
		}
		if with, alone := steps(c.near), steps(0); with > c.most || alone < 4*with {
			t.Errorf("%d rows: %d steps with %d neighbours, want at most %d; %d without", c.n, with, c.near, c.most, alone)
		}
	}
}

// A factor equals the factor of the matrix with the reported noise, and stops on request.
func TestFactor(t *testing.T) {
	const n = 600
	s := regressionOf(n, 1e-3)
	f := NewFactor(s.Of, s.X, s.Noise, nil, always)
	x, back := normals(n, 2), compute.NewMatrix(n, 2)
	right := compute.NewMatrix(n, 2)
	s.Product(right, x)
	f.SolveTo(back, right)
	unit, column := compute.NewMatrix(n, 1), compute.NewMatrix(n, 1)
	unit.Data[550] = 1
	f.SolveTo(column, unit)
	if diag := f.InverseDiagonal(always); math.Abs(diag[550]/column.Data[550]-1) > 1e-9 {
		t.Errorf("(A⁻¹)_ii = %v, want %v", diag[550], column.Data[550])
	}
	for i, v := range x.Data {
		if math.Abs(back.Data[i]-v) > 1e-9 {
			t.Fatalf("A⁻¹Ax = %v, want %v", back.Data[i], v)
		}
	}
	NewFactorIn(NewPanels(n), s.Of, s.X, s.Noise, nil, always).SolveTo(right, right)
	for i, v := range back.Data {
		if math.Abs(right.Data[i]-v) > 1e-10 {
			t.Fatalf("A⁻¹Ax = %v by panels, %v by a square", right.Data[i], v)
		}
	}
	for i := range n { // all rows equal: K has rank 1
		copy(compute.Row(s.X.Matrix, i), compute.Row(s.X.Matrix, 0))
	}
	if f := NewFactor(s.Of, s.X, 1e-18, nil, always); f == nil || !(f.Noise > 1e-18 && f.Noise < 1e-9) {
		t.Errorf("a singular matrix: %+v, want a factor with more noise", f)
	}
	if f := NewFactor(s.Of, s.X, 1, nil, func(done int) bool { return done < 512 }); f != nil {
		t.Error("a factor although it was stopped")
	}
}

// Products in single precision equal double precision up to rounding. A kernel without a single-precision
// form is not rounded.
func TestRegressionInSingle(t *testing.T) {
	for _, k := range []kernel.Kernel{kernel.Matern{Nu: 1.5, Length: 2}, kernel.Laplacian{Sigma: 2}} {
		s := regressionOf(1100, 0.1)
		s.Of.Kernel = k
		v := normals(1100, 3)
		got, want := compute.NewMatrix(1100, 3), compute.NewMatrix(1100, 3)
		s.Product(want, v)
		s.Single = true
		if !s.Product(got, v) {
			t.Fatal("it stopped")
		}
		size := math.Sqrt(compute.ColumnDots(want, want)[0])
		for i, w := range want.Data {
			if math.Abs(got.Data[i]-w) > 1e-6*size {
				t.Fatalf("%v: product %v, want %v", k, got.Data[i], w)
			}
		}
	}
}
