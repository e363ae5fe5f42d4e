package search

import (
	"math"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

func normals(n, d int, purpose string) compute.Matrix {
	m := compute.NewMatrix(n, d)
	s := rng.New(1, purpose, 0)
	for i := range m.Data {
		m.Data[i] = s.NormFloat64()
	}
	return m
}

// ridgeFit solves the bordered system of kernel ridge regression on the rows selected by keep
// and predicts all rows.
func ridgeFit(t *testing.T, values, y compute.Matrix, noise float64, weights compute.Weights, keep func(i int) bool) compute.Matrix {
	t.Helper()
	var rows []int
	for i := range values.Rows {
		if keep(i) {
			rows = append(rows, i)
		}
	}
	m := len(rows)
	a, b := compute.NewMatrix(m+1, m+1), compute.NewMatrix(m+1, y.Cols)
	for i, r := range rows {
		for j, s := range rows {
			a.Data[i*a.Stride+j] = values.Data[r*values.Stride+s]
		}
		a.Data[i*a.Stride+i] += noise / weights.At(r)
		a.Data[i*a.Stride+m], a.Data[m*a.Stride+i] = 1, 1
		copy(compute.Row(b, i), compute.Row(y, r))
	}
	eliminate(a, b)
	f := compute.NewMatrix(values.Rows, y.Cols)
	for i := range values.Rows {
		for c := range y.Cols {
			v := b.Data[m*b.Stride+c]
			for j, r := range rows {
				v += values.Data[i*values.Stride+r] * b.Data[j*b.Stride+c]
			}
			f.Data[i*f.Stride+c] = v
		}
	}
	return f
}

// eliminate overwrites b with a⁻¹b by Gauss-Jordan elimination with pivoting.
func eliminate(a, b compute.Matrix) {
	n := a.Rows
	at := func(m compute.Matrix, i, j int) *float64 { return &m.Data[i*m.Stride+j] }
	for k := range n {
		p := k
		for i := k; i < n; i++ {
			if math.Abs(*at(a, i, k)) > math.Abs(*at(a, p, k)) {
				p = i
			}
		}
		for _, m := range []compute.Matrix{a, b} {
			for j := range m.Cols {
				*at(m, k, j), *at(m, p, j) = *at(m, p, j), *at(m, k, j)
			}
		}
		for i := range n {
			if i == k {
				continue
			}
			factor := *at(a, i, k) / *at(a, k, k)
			for _, m := range []compute.Matrix{a, b} {
				for j := range m.Cols {
					*at(m, i, j) -= factor * *at(m, k, j)
				}
			}
		}
	}
	for i := range n {
		for j := range b.Cols {
			*at(b, i, j) /= *at(a, i, i)
		}
	}
}

// TestLeaveOneOut compares with fits to all rows but one, and to all rows outside of a set.
func TestLeaveOneOut(t *testing.T) {
	testutil.Long(t, "takes seconds")
	const n, held = 140, 110 // the inverse of 110 rows is computed in two halves
	x, y := normals(n, 3, "x"), normals(n, 2, "y")
	for i := range n {
		y.Data[2*i] = 100 + 3*math.Sin(2*x.Data[3*i]) + 0.1*y.Data[2*i]
	}
	values := compute.NewMatrix(n, n)
	gram.Evaluator{Kernel: kernel.Matern{Nu: 1.5, Length: 1.5}}.Gram(values, x)
	some := make([]float64, n)
	for i := range some {
		some[i] = math.Exp(math.Sin(float64(i)))
	}
	for _, c := range []struct {
		noise   float64
		weights compute.Weights
	}{{10, nil}, {1e-2, nil}, {1e-6, nil}, {1e-2, some}} {
		noise, weights := c.noise, c.weights
		l := newLeaveOneOut(weights, 1)
		given := compute.Clone(values)
		if !l.factorise(values, noise, y, held) {
			t.Fatal("not positive definite")
		}
		got := compute.NewMatrix(held, 2)
		l.predict(got, y)
		set := []int{33, 34, 77, 130, 139}
		some := compute.NewMatrix(len(set), 2)
		if !l.predictSet(some, y, set) {
			t.Fatal("set not predicted")
		}
		if l.restore(); !slices.Equal(values.Data, given.Data) {
			t.Fatal("the Gram matrix is not given back")
		}
		for i := n - held; i < n; i++ {
			want := ridgeFit(t, values, y, noise, weights, func(j int) bool { return j != i })
			for c := range 2 {
				if g, w := got.Data[2*(i-n+held)+c], want.Data[2*i+c]; math.Abs(g-w) > 1e-8*math.Abs(w)+1e-8 {
					t.Errorf("noise %g, row %d: %v, by a fit without it %v", noise, i, g, w)
				}
			}
		}
		want := ridgeFit(t, values, y, noise, weights, func(j int) bool { return !slices.Contains(set, j) })
		for k, i := range set {
			for c := range 2 {
				if g, w := some.Data[2*k+c], want.Data[2*i+c]; math.Abs(g-w) > 1e-7*math.Abs(w)+1e-7 {
					t.Errorf("noise %g, row %d of a set: %v, by a fit without it %v", noise, i, g, w)
				}
			}
		}
	}
}
