package testutil

import (
	"bytes"
	"fmt"
	"go/parser"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// logGradient compares the derivatives by the logarithms of the parameters with differences.
func (c kernelCheck) logGradient(t testing.TB) {
	k := gram.Describe(c.k)
	if !k.Parametric() {
		return
	}
	n := len(k.Parameters)
	names := slices.Compact(slices.Sorted(slices.Values(k.Names)))
	require(t, len(names) == n, "two of the parameters %q have the same name", k.Names)
	dst := make([]float64, n+1)
	c.eachPair(4, func(x, z []float64) {
		dst[n] = gap
		set := k.LogGradient(dst, x, z)
		require(t, set == n && dst[n] == gap, "LogGradient set %d numbers for %d parameters", set, n)
		for p := range n {
			checkDerivative(t, dst[p], k.Names[p], func(h float64) float64 {
				v := slices.Clone(k.Parameters)
				v[p] *= math.Exp(h)
				return k.WithParameters(v).Eval(x, z)
			})
		}
	})
}

// scaleGradient compares the derivatives by the logarithms of the column scales with differences.
func (c kernelCheck) scaleGradient(t testing.TB) {
	k := gram.Describe(c.k)
	if k.ScaleGradient == nil {
		return
	}
	dst := make([]float64, c.d)
	c.eachPair(4, func(x, z []float64) {
		k.ScaleGradient(dst, x, z)
		for p := range c.d {
			checkDerivative(t, dst[p], "scale", func(h float64) float64 {
				u, v := slices.Clone(x), slices.Clone(z)
				u[p] *= math.Exp(-h)
				v[p] *= math.Exp(-h)
				return c.k.Eval(u, v)
			})
		}
	})
}

// eachPair calls do with all pairs of n points. The first and the last point are equal.
func (c kernelCheck) eachPair(n int, do func(x, z []float64)) {
	x := c.points(n)
	x.SetRow(n-1, x.RawRowView(0))
	for i := range n {
		for j := range n {
			do(x.RawRowView(i), x.RawRowView(j))
		}
	}
}

// checkDerivative compares got with the derivative of f at 0 by central differences, extrapolated
// to step 0 (Ridders' method).
func checkDerivative(t testing.TB, got float64, name string, f func(float64) float64) {
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
	size := math.Abs(f(0)) + math.Abs(want)
	require(t, math.Abs(got-want) <= 1e-9*size, "derivative by log %s is %v, differences give %v ± %g",
		name, got, want, best)
}

func (c kernelCheck) text(t testing.TB) {
	if s, ok := c.k.(fmt.Stringer); ok {
		checkExpression(t, s)
	}
}

func checkExpression(t testing.TB, s fmt.Stringer) {
	t.Helper()
	_, err := parser.ParseExpr(s.String())
	expect(t, err == nil, "%s is no Go expression: %v", s, err)
}

func (c kernelCheck) file(t testing.TB) {
	data := must(kernel.Marshal(c.k))(t)
	k := must(kernel.Unmarshal(data))(t)
	c.eachPair(10, func(x, z []float64) {
		a, b := c.k.Eval(x, z), k.Eval(x, z)
		require(t, math.Float64bits(a) == math.Float64bits(b), "the saved kernel gives %v, the loaded one %v", a, b)
	})
	again, err := kernel.Marshal(k)
	require(t, err == nil && bytes.Equal(again, data), "the loaded kernel makes another file (error %v)", err)
}

func (c kernelCheck) badData(t testing.TB) {
	fails := func(want error, position string, x *mat.Dense) {
		t.Helper()
		var g mat.SymDense
		err := kernel.Gram(&g, c.k, x)
		expectError(t, "kernel", err, want, position)
		expect(t, g.IsEmpty(), "the destination was written")
	}
	for _, v := range notFinite {
		x := c.points(5)
		x.Set(3, c.d-1, v)
		fails(rkhs.ErrNotFinite, fmt.Sprintf("row 3, column %d", c.d-1), x)
	}
	fails(rkhs.ErrEmpty, "x", &mat.Dense{})
	var k mat.Dense
	z := mat.NewDense(2, c.d+1, nil)
	expectError(t, "kernel", kernel.Cross(&k, c.k, c.points(2), z), rkhs.ErrShape)
}

// domain checks the error for a point outside of the domain in one coordinate.
func (c kernelCheck) domain(t testing.TB) {
	if !gram.Restricted(c.k) {
		return
	}
	x := c.points(4)
	x.Set(2, c.d-1, -1e6)
	if column, _ := gram.Outside(c.k, x.RawRowView(2)); column < 0 {
		return
	}
	var dst mat.Dense
	err := kernel.Cross(&dst, c.k, c.points(2), x)
	expectError(t, "kernel", err, rkhs.ErrDomain, fmt.Sprintf("z at row 2, column %d", c.d-1))
}
