package testutil

import (
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/internal/gram"
)

func (c kernelCheck) logGradient(t *testing.T) {
	k := gram.Describe(c.k)
	if !k.Parametric() {
		t.Skip("the kernel is not Parametric")
	}
	names := map[string]bool{}
	var theta []float64
	for i, name := range k.Names {
		if names[name] {
			t.Fatalf("two parameters are called %s", name)
		}
		names[name] = true
		theta = append(theta, k.Parameters[i])
	}
	x := c.points(4)
	copy(row(x, 3), row(x, 0))
	dst := make([]float64, len(theta)+1)
	for i := range x.Rows {
		for j := range x.Rows {
			xi, xj := row(x, i), row(x, j)
			dst[len(theta)] = gap
			if n := k.LogGradient(dst, xi, xj); n != len(theta) || dst[n] != gap {
				t.Fatalf("LogGradient set %d numbers for %d parameters", n, len(theta))
			}
			for p := range theta {
				derivative(t, dst[p], k.Names[p], func(h float64) float64 {
					v := append([]float64(nil), theta...)
					v[p] *= math.Exp(h)
					return k.WithParameters(v).Eval(xi, xj)
				})
			}
		}
	}
}

func (c kernelCheck) scaleGradient(t *testing.T) {
	k := gram.Describe(c.k)
	if k.ScaleGradient == nil {
		t.Skip("the kernel is not ScaleDifferentiable")
	}
	x := c.points(3)
	copy(row(x, 2), row(x, 0))
	dst := make([]float64, c.d)
	for i := range x.Rows {
		for j := range x.Rows {
			k.ScaleGradient(dst, row(x, i), row(x, j))
			for p := range c.d {
				derivative(t, dst[p], "scale", func(h float64) float64 {
					u, v := append([]float64(nil), row(x, i)...), append([]float64(nil), row(x, j)...)
					u[p] *= math.Exp(-h)
					v[p] *= math.Exp(-h)
					return c.k.Eval(u, v)
				})
			}
		}
	}
}

// derivative compares got with the derivative of f at 0 by central differences,
// extrapolated to step 0 (Ridders' method).
func derivative(t *testing.T, got float64, name string, f func(float64) float64) {
	t.Helper()
	const levels, shrink = 10, 1.6
	var table [levels][levels]float64
	h, want, best := 0.02, 0.0, math.Inf(1)
	for i := range levels {
		table[i][0] = (f(h) - f(-h)) / (2 * h)
		power := shrink * shrink
		for j := 1; j <= i; j++ {
			table[i][j] = (table[i][j-1]*power - table[i-1][j-1]) / (power - 1)
			power *= shrink * shrink
			if e := max(math.Abs(table[i][j]-table[i][j-1]), math.Abs(table[i][j]-table[i-1][j-1])); e < best {
				want, best = table[i][j], e
			}
		}
		h /= shrink
	}
	if size := math.Abs(f(0)) + math.Abs(want); !(math.Abs(got-want) <= 1e-9*size) {
		t.Fatalf("derivative by log %s is %v, differences give %v ± %g", name, got, want, best)
	}
}
