package nystrom

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

func points(n, d int) compute.Matrix {
	draw, x := rng.New(1, "points", 0), compute.NewMatrix(n, d)
	for i := range x.Data {
		x.Data[i] = 4 * draw.Float64()
	}
	return x
}

// The functions e are orthonormal and reproduce the kernel between centres and rows. Residual is the residual of
// k(x, x), which is zero if all rows are centres.
func TestCentres(t *testing.T) {
	const n = 120
	x, of := points(n, 2), gram.Evaluator{Kernel: kernel.Laplacian{Sigma: 1}}
	for _, q := range []int{1, 30, n} {
		c, rows, err := New(of, compute.DensePoints(x), q, 0, 5, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.Count() != q || len(rows) != q {
			t.Fatalf("%d centres, %d rows, want %d", c.Count(), len(rows), q)
		}
		e := c.At(compute.DensePoints(x))
		got, want := compute.NewMatrix(n, q), compute.NewMatrix(n, q)
		compute.MulNT(got, e, compute.Pick(e, rows), 0)
		of.CrossOf(want, compute.DensePoints(x), c.Points)
		for i, v := range got.Data {
			if math.Abs(v-want.Data[i]) > 1e-12 {
				t.Fatalf("%d centres: <e(x), e(c)> = %v, want %v", q, v, want.Data[i])
			}
		}
		left := 0.0
		for i := range n {
			left += (1 - compute.ColumnDots(compute.Transpose(compute.Rows(e, i, i+1)), compute.Transpose(compute.Rows(e, i, i+1)))[0]) / n
		}
		if r := c.Residual(compute.DensePoints(x), e); math.Abs(r-left) > 1e-12 {
			t.Errorf("%d centres leave %v, want %v", q, r, left)
		}
		h := compute.NewMatrix(q, 1)
		for i := range h.Data {
			h.Data[i] = 1
		}
		back := compute.NewMatrix(q, 1)
		compute.MulNN(back, compute.Pick(e, rows), c.Coordinates(h), 0)
		for _, v := range back.Data {
			if math.Abs(v-1) > 1e-9 {
				t.Fatalf("%d centres: a function of coordinates has the value %v, want 1", q, v)
			}
		}
	}
}

// TestConjugate compares solutions with a factorisation, with the matrix stored and recomputed, and expects
// fewer iterations with more centres.
func TestConjugate(t *testing.T) {
	const n, noise = 150, 0.01
	x, of := points(n, 2), gram.Evaluator{Kernel: kernel.Gaussian{Sigma: 1}}
	b := compute.Rows(points(n, 3), 0, n)
	gram := mat.NewDense(n, n, nil)
	of.Gram(gram.RawMatrix(), x)
	for i := range n {
		gram.Set(i, i, gram.At(i, i)+noise)
	}
	var want mat.Dense
	if err := want.Solve(gram, mat.NewDense(n, 3, b.Data)); err != nil {
		t.Fatal(err)
	}
	last := math.MaxInt
	for _, q := range []int{1, 10, 40} {
		c, _, err := New(of, compute.DensePoints(x), q, 0, 5, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, keep := range []bool{true, false} {
			s, err := NewSystem(c, compute.DensePoints(x), noise, nil, keep)
			if err != nil {
				t.Fatal(err)
			}
			solution, steps := NewConjugate(s, b), 0
			bound := func() float64 { return mat.Norm(mat.NewDense(n, 3, solution.R.Data), 2) }
			_, status := solution.Run(1e-9, bound, func(float64) bool { steps++; return steps < 2000 })
			var d mat.Dense
			d.Sub(mat.NewDense(n, 3, solution.X.Data), &want)
			if e := mat.Norm(&d, 2) / mat.Norm(&want, 2); status != rkhs.Converged || e > 1e-8 {
				t.Errorf("%d centres, kept %v: %v after %d iterations, relative error %.2g", q, keep, status, steps, e)
			}
			if keep && steps >= last {
				t.Errorf("%d centres: %d iterations, fewer centres took %d", q, steps, last)
			}
			last = min(last, steps)
		}
	}
}
