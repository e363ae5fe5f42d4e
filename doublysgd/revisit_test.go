package doublysgd

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// gaussians returns an r×c matrix of standard normal values.
func gaussians(r, c int, seed uint64) compute.Matrix {
	s := rand.New(rand.NewPCG(seed, 0))
	m := compute.NewMatrix(r, c)
	for i := range m.Data {
		m.Data[i] = s.NormFloat64()
	}
	return m
}

// waves returns n rows of two columns and a wave with noise.
func waves(n int, noise float64, seed uint64) (x, y *mat.Dense) {
	r := gaussians(n, 3, seed)
	x, y = mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		a, b := 2*r.Data[3*i], 2*r.Data[3*i+1]
		x.SetRow(i, []float64{a, b})
		y.Set(i, 0, math.Sin(a)+math.Cos(a-b)+noise*r.Data[3*i+2])
	}
	return x, y
}

// third returns the class 0, 1 or 2 of a value of the wave.
func third(y float64) int { return min(2, int(max(0, y+1))) }

// ridgeSolution returns the scores at rows x of the joint normal equations of all features and
// an unpenalised constant, for targets in units u.
func ridgeSolution(t *testing.T, k kernel.Kernel, x, y *mat.Dense, u descent.Units, columns, blocks int, nu float64) *mat.Dense {
	t.Helper()
	n, d := x.Dims()
	m, err := features.New(k, d, features.Options{Columns: columns})
	if err != nil {
		t.Fatal(err)
	}
	z := mat.NewDense(n, columns*blocks+1, nil)
	for i := range n {
		z.Set(i, columns*blocks, 1)
	}
	for b := range blocks {
		m.Block(uint64(b)).TransformTo(z.Slice(0, n, b*columns, (b+1)*columns).(*mat.Dense).RawMatrix(), x.RawMatrix())
	}
	_, q := y.Dims()
	standard := mat.NewDense(n, q, u.Standardise(y.RawMatrix()).Data)
	var gram, right, a mat.Dense
	gram.Mul(z.T(), z)
	for i := range columns * blocks {
		gram.Set(i, i, gram.At(i, i)+nu*float64(n*blocks))
	}
	right.Mul(z.T(), standard)
	if err := a.Solve(&gram, &right); err != nil {
		t.Fatal(err)
	}
	var f mat.Dense
	f.Mul(z, &a)
	u.Restore(f.RawMatrix())
	return &f
}

func distance(a, b mat.Matrix) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return mat.Norm(&d, 2) / mat.Norm(b, 2)
}

// TestRidge compares the solution with the joint normal equations, for stored and recomputed
// blocks, in both precisions.
func TestRidge(t *testing.T) {
	testutil.Long(t, "it is about figures")
	const columns, blocks, nu = 32, 6, 1e-3
	x, y := waves(700, 0.1, 1)
	var two mat.Dense
	two.Augment(y, x.Slice(0, 700, 1, 2))
	k := kernel.Gaussian{Sigma: 1.5}
	for _, c := range []struct {
		name      string
		precision Precision
		memory    int64
		cache     int64
		tolerance float64
		want      float64
	}{
		{"double", Double, 0, 0, 1e-9, 1e-7},
		{"nothing kept", Double, 250000, 1, 1e-9, 1e-7},
		{"single", Single, 0, 0, 1e-5, 1e-4},
	} {
		m, err := Fit(context.Background(), x, &two, &Options{Kernel: k, Ridge: nu, Features: columns * blocks, Tolerance: c.tolerance, MemoryLimit: c.memory, Paper: Paper{Columns: columns, Precision: c.precision, CacheSize: c.cache}})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		p, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		if d := distance(p, ridgeSolution(t, k, x, &two, m.f.units, columns, blocks, nu)); !(d < c.want) {
			t.Errorf("%s: off by %.2g after %d passes", c.name, d, m.report.Passes)
		} else {
			t.Logf("%s: off by %.2g after %d passes", c.name, d, m.report.Passes)
		}
	}
}
