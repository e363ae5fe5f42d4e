package nonnegative

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestMinimum compares with the best of all sets of positive weights, also
// where kernels are nearly equal.
func TestMinimum(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	zeros := 0
	for trial := range 500 {
		const n = 5
		b := mat.NewDense(7, n, nil)
		b.Apply(func(int, int, float64) float64 { return r.NormFloat64() + 0.5 }, b)
		if trial%3 == 0 {
			for i := range 7 {
				b.Set(i, 3, b.At(i, 1)+1e-3*r.NormFloat64())
			}
		}
		var g mat.Dense
		g.Mul(b.T(), b)
		a := make([]float64, n)
		for i := range a {
			a[i] = mat.Dot(b.ColView(i), mat.NewVecDense(7, []float64{1, 2, -1, 0.5, 0, 1, 3}))
		}
		m := make([][]float64, n)
		for i := range m {
			m[i] = mat.Row(nil, i, &g)[:i+1]
		}
		got := Minimum(m, a)
		least := 0.0
		for set := 1; set < 1<<n; set++ {
			free := make([]bool, n)
			for i := range free {
				free[i] = set>>i&1 == 1
			}
			if z, ok := new(Solver).solveFree(m, a, free); ok && least > quadratic(m, a, z) && smallest(z) >= 0 {
				least = quadratic(m, a, z)
			}
		}
		if v := quadratic(m, a, got); v > least+1e-9*math.Abs(least) || smallest(got) < 0 {
			t.Fatalf("trial %d: %v at %v, the least is %v", trial, v, got, least)
		}
		for _, v := range got {
			if v == 0 {
				zeros++
			}
		}
	}
	if zeros < 500 {
		t.Errorf("%d weights of 2500 are zero: the trials are too easy", zeros)
	}
}

func quadratic(m [][]float64, a, v []float64) float64 {
	s := 0.0
	for t, x := range v {
		s -= 2 * a[t] * x
		for u, y := range v {
			s += x * y * entry(m, t, u)
		}
	}
	return s
}

func smallest(v []float64) float64 {
	least := math.Inf(1)
	for _, x := range v {
		least = min(least, x)
	}
	return least
}
