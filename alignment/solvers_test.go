package alignment

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestNonnegative compares with the best of all sets of positive weights, also
// where kernels are nearly equal.
func TestNonnegative(t *testing.T) {
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
		got := nonnegative(m, a)
		least := 0.0
		for set := 1; set < 1<<n; set++ {
			free := make([]bool, n)
			for i := range free {
				free[i] = set>>i&1 == 1
			}
			if z, ok := solveFree(m, a, free); ok && least > quadratic(m, a, z) && smallest(z) >= 0 {
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

// TestRidgeSolvesItsProblem compares with the solution of the plain equations and
// its objective, and moves the solution.
func TestRidgeSolvesItsProblem(t *testing.T) {
	x, y := problem(40, 2, 8)
	res := &Result{Kernel: kernel.Sum{kernel.Scale{By: 0.5, Of: kernel.Gaussian{Sigma: 1}}, kernel.Scale{By: 0.5, Of: kernel.Laplacian{Sigma: 2}}}}
	f := newRidge(res.simplest(), examples{x: x, y: y}, 0)
	const weight = 0.03
	a, ok := f.solve(weight)
	if !ok {
		t.Fatal("singular")
	}
	k := gram(res.Kernel, x)
	for i := range 40 {
		k.Set(i, i, k.At(i, i)+weight)
	}
	var want mat.VecDense
	if err := want.SolveVec(k, mat.NewVecDense(40, f.centred.Data)); err != nil {
		t.Fatal(err)
	}
	for i, v := range a.Data {
		if !(math.Abs(v-want.AtVec(i)) < 1e-9) {
			t.Fatalf("coefficient %d is %v, want %v", i, v, want.AtVec(i))
		}
	}
	objective, residual := f.certify(a, weight)
	if !near(objective, weight*inner(a.Data, f.centred.Data), 1e-10) || residual > 1e-12 {
		t.Errorf("objective %v, at the solution %v; residual %v", objective, weight*inner(a.Data, f.centred.Data), residual)
	}
	moved := compute.Clone(a)
	moved.Data[7] += 1e-3
	if o, r := f.certify(moved, weight); o <= objective || r < 1e-6 {
		t.Errorf("objective %v and residual %v beside the solution", o, r)
	}
}

// TestVotes has ties, which the smaller class wins.
func TestVotes(t *testing.T) {
	// Columns are the pairs (0,1), (0,2), (1,2); positive for the second.
	scores := compute.Matrix{Rows: 4, Cols: 3, Stride: 3, Data: []float64{
		-1, -1, 5,
		1, 0, -1,
		-1, 1, 1,
		1, -1, 1, // one vote each
	}}
	for i, want := range []int{0, 1, 2, 0} {
		if got := decide(3)(compute.Row(scores, i)); got != want {
			t.Errorf("row %d goes to class %d, want %d", i, got, want)
		}
	}
}
