package compute

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// definite returns an n×n positive definite matrix with NaN in the lower triangle.
func definite(rnd *rand.Rand, n int) matrix[float64] {
	g := random[float64](rnd, n+5, n, 0)
	a := random[float64](rnd, n, n, 3)
	for i := range n {
		for j := range n {
			a.data[i*a.stride+j] = math.NaN()
			if j >= i {
				a.data[i*a.stride+j] = 0
			}
		}
		a.data[i*a.stride+i] = 0.1
	}
	naive(a, columnsOf(g), columnsOf(g), true)
	return a
}

// residual returns max|A − UᵀU|/(n·eps·max|A|).
func residual(a, u matrix[float64]) float64 {
	worst, top := 0.0, 0.0
	for i := range a.rows {
		for j := i; j < a.rows; j++ {
			s := a.data[i*a.stride+j]
			top = max(top, math.Abs(s))
			for k := range i + 1 {
				s -= u.data[k*u.stride+i] * u.data[k*u.stride+j]
			}
			worst = max(worst, math.Abs(s))
		}
	}
	return worst / (float64(a.rows) * 0x1p-52 * top)
}

func TestCholesky(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 7))
	for _, n := range []int{0, 1, 2, 31, 64, 65, 130, 200} {
		a := definite(rnd, n)
		var want matrix[float64]
		for i := range engines64 {
			e := engines64[len(engines64)-1-i]
			for _, workers := range []int{1, 2, 8} {
				u := a.clone()
				if !e.cholesky(u, workers) {
					t.Fatalf("%s n=%d: not positive definite", e.name, n)
				}
				if i == 0 && workers == 1 {
					want = u
				}
				same(t, fmt.Sprint("Cholesky ", e.name, n, workers), u.data, want.data)
				for i := range n {
					same(t, fmt.Sprint("below the diagonal ", e.name, n, workers), u.row(i, 0, i), a.row(i, 0, i))
				}
			}
		}
		if n > 0 {
			if r := residual(a, want); r > 2 {
				t.Errorf("n=%d: residual %v", n, r)
			}
		}
	}
}

func TestCholeskyIndefinite(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 7))
	for _, at := range []int{0, 63, 64, 150} {
		for _, v := range []float64{-1, 0, math.NaN()} {
			a := definite(rnd, 151)
			for j := range a.cols {
				if j < at {
					a.data[j*a.stride+at] = 0
				}
			}
			a.data[at*a.stride+at] = v
			if Cholesky(Matrix{Rows: a.rows, Cols: a.cols, Stride: a.stride, Data: a.data}, 1) {
				t.Errorf("pivot %v at %d was taken", v, at)
			}
		}
	}
}

func TestSolveUpper(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 7))
	for _, s := range [][2]int{{1, 1}, {5, 3}, {64, 33}, {65, 1}, {131, 70}, {200, 7}} {
		u := definite(rnd, s[0])
		if !use64.cholesky(u, 1) {
			t.Fatal("not positive definite")
		}
		for _, trans := range []bool{false, true} {
			b := random[float64](rnd, s[0], s[1], 2)
			var want matrix[float64]
			for i := range engines64 {
				e := engines64[len(engines64)-1-i]
				for _, workers := range []int{1, 2, 8} {
					x := b.clone()
					e.solveUpper(u, x, trans, workers)
					if i == 0 && workers == 1 {
						want = x
					}
					same(t, fmt.Sprint("SolveUpper ", e.name, s, trans, workers), x.data, want.data)
				}
			}
			if r := solveResidual(u, want, b, trans); r > 2 {
				t.Errorf("%v trans=%v: residual %v", s, trans, r)
			}
		}
	}
}

// solveResidual returns the largest |UX − B|, or |UᵀX − B|, relative to n·eps times the sum
// of the absolute values of the terms.
func solveResidual(u, x, b matrix[float64], trans bool) float64 {
	worst := 0.0
	for i := range u.rows {
		for c := range b.cols {
			s, size := -b.data[i*b.stride+c], math.Abs(b.data[i*b.stride+c])
			for k := range u.rows {
				p, q := i, k
				if trans {
					p, q = k, i
				}
				if p <= q {
					term := u.data[p*u.stride+q] * x.data[k*x.stride+c]
					s, size = s+term, size+math.Abs(term)
				}
			}
			worst = max(worst, math.Abs(s)/(float64(u.rows)*0x1p-52*size))
		}
	}
	return worst
}

// The diagonal matches the solutions for unit vectors, also with several chunks of columns.
func TestInverseDiagonal(t *testing.T) {
	const n = 300
	a, unit := NewMatrix(n, n), NewMatrix(n, n)
	AddGram(a, normals(n+10, n, 1), 1)
	for i := range n {
		unit.Data[i*n+i] = 1
		a.Data[i*n+i] += 1
	}
	if !Cholesky(a, 2) {
		t.Fatal("not positive definite")
	}
	SolveUpper(a, unit, true, 2)
	SolveUpper(a, unit, false, 2)
	asked := 0
	diagonal := InverseDiagonal(a, func(int) bool { asked++; return true }, 2)
	for i, v := range diagonal {
		if math.Abs(v/unit.Data[i*n+i]-1) > 1e-10 {
			t.Errorf("%d: %v, want %v", i, v, unit.Data[i*n+i])
		}
	}
	if asked != 2 || InverseDiagonal(a, func(done int) bool { return done == 0 }, 2) != nil {
		t.Errorf("asked %d times whether to go on, or went on", asked)
	}
}
