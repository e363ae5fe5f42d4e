package search

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// The Nyström kernel is K(X, P)·K(P, P)⁻¹·K(P, X) for any number of landmarks.
func TestLandmarks(t *testing.T) {
	const n, d = 520, 3 // more rows than a chunk
	random, x := rand.New(rand.NewPCG(3, 4)), compute.NewMatrix(n, d)
	for i := range x.Data {
		x.Data[i] = random.NormFloat64()
	}
	rows, of := compute.DensePoints(x), kernel.Gaussian{Sigma: .2}
	l := &Landmarks{Workers: 2, Stopped: func() bool { return false }}
	for _, m := range []int{1, 260, 261, 519, 12, 520} {
		got := compute.NewMatrix(n, n)
		if !l.Gram(got, of, rows.Between(0, m), rows) {
			t.Fatalf("%d landmarks: no factor", m)
		}
		own, cross := mat.NewDense(m, m, nil), mat.NewDense(m, n, nil)
		for i := range m {
			for j := range n {
				v := of.Eval(compute.Row(x, i), compute.Row(x, j))
				cross.Set(i, j, v)
				if j < m {
					own.Set(i, j, v)
				}
			}
		}
		var solved, want mat.Dense
		if err := solved.Solve(own, cross); err != nil {
			t.Fatal(err)
		}
		want.Mul(cross.T(), &solved)
		for i := range n {
			for j := range n {
				if math.Abs(compute.Row(got, i)[j]-want.At(i, j)) > 1e-9 {
					t.Fatalf("%d landmarks: %v in place %d, %d, want %v", m, compute.Row(got, i)[j], i, j, want.At(i, j))
				}
			}
		}
	}
	l.Stopped = func() bool { return true }
	if l.Gram(compute.NewMatrix(n, n), of, rows.Between(0, 5), rows) {
		t.Error("it was stopped, and has something to tell")
	}
}
