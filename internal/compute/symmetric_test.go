package compute

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas32"
)

func normalRows(n, d int, r *rand.Rand) Matrix {
	x := NewMatrix(n, d)
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	return x
}

func narrowed(x Matrix) Matrix32 {
	m := blas32.General{Rows: x.Rows, Cols: x.Cols, Stride: max(1, x.Cols), Data: make([]float32, x.Rows*x.Cols)}
	for i := range x.Rows {
		for j, v := range Row(x, i) {
			m.Data[i*m.Stride+j] = float32(v)
		}
	}
	return m
}

func goOn() bool { return false }

// shortSizes returns sizes that an emulated processor completes in seconds. Only the first
// function uses two stripes of rows and two inner ranges, because the functions differ only
// within a tile.
func shortSizes(function int) [][3]int {
	if function == 0 {
		return [][3]int{{1, 3, 1}, {stripeRows + 7, 4, 1}, {50, 300, 2}}
	}
	return [][3]int{{7, 5, 2}, {40, 20, 3}}
}

// TestSymmetric compares AddMul with a product in double precision, for partial blocks, several
// inner ranges and few columns. Any number of workers gives the same bits.
func TestSymmetric(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for function, f := range []Func{{Family: Gaussian, A: 0.02}, {Family: Matern12, A: 0.1}, {Family: Matern32, A: 0.3}, {Family: Matern52, A: 0.2}, {Family: Polynomial, A: 0.01, B: 1, P: 2}} {
		sizes := [][3]int{{1, 3, 1}, {7, 5, 2}, {96, 20, 3}, {1300, 6, 1}, {601, 300, 20}}
		if os.Getenv("RKHS_LONG") == "" {
			sizes = shortSizes(function)
		}
		for _, size := range sizes {
			n, q := size[0], size[2]
			x, w := normalRows(n, size[1], r), normalRows(n, q, r)
			want, got := NewMatrix(n, q), NewMatrix(n, q)
			KernelMul(want, x, x, w, f, 2)
			s := NewSymmetric(narrowed(x), f, 2)
			s.AddMul(got, w, 2, goOn, 2)
			scale := 0.0
			for _, v := range want.Data {
				scale = max(scale, math.Abs(v))
			}
			for i, v := range want.Data {
				if !(math.Abs(got.Data[i]-2*v) < 2e-5*scale) {
					t.Fatalf("%v, %v: row %d: %v, want %v", f, size, i/q, got.Data[i], 2*v)
				}
			}
			alone := NewMatrix(n, q)
			NewSymmetric(narrowed(x), f, 1).AddMul(alone, w, 2, goOn, 1)
			if !slices.Equal(alone.Data, got.Data) {
				t.Errorf("%v, %v: other bits by one worker", f, size)
			}
			if s.AddMul(got, w, 2, func() bool { return true }, 2) {
				t.Error("a product that is stopped says that it is done")
			}
		}
	}
}

func BenchmarkSymmetric(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	x, v := normalRows(10000, 100, r), normalRows(10000, 10, r)
	s := NewSymmetric(narrowed(x), Func{Family: Matern32, A: 0.2}, 0)
	for b.Loop() {
		s.AddMul(NewMatrix(10000, 10), v, 1, goOn, 0)
	}
}
