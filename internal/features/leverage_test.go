package features_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// clustered returns points around a few centres in very unequal proportions.
func clustered(rows, cols int, stream uint32) compute.Matrix {
	m := normals(rows, cols, stream)
	centres := normals(6, cols, 99)
	for i := range rows {
		c := 0
		for r := i; r%3 == 2; r /= 3 {
			c++
		}
		for j, v := range rowOf(centres, c%6) {
			rowOf(m, i)[j] = 3*v + 0.05*rowOf(m, i)[j]
		}
	}
	return m
}

// TestLeverage checks that blocks are unbiased, and better than plain sampling in the norm that is relevant
// for ridge regression, ‖(K+nλ)^−½(K̃−K)(K+nλ)^−½‖.
func TestLeverage(t *testing.T) {
	x := clustered(150, 3, 1)
	points := denseOf(x)
	small := compute.Rows(x, 0, 8)
	for _, k := range []kernel.Kernel{kernel.Gaussian{Sigma: 1}, kernel.ArcCosine{Order: 1}, kernel.ReciprocalSemigroup{Lambda: 1}, kernel.SkewedIntersection{C: 1}} {
		p, data := denseOf(compute.Rows(x, 0, 30)), small
		if gram.Restricted(k) {
			u := uniforms(30, 3, 3)
			p, data = denseOf(u), compute.Rows(u, 0, 8)
		}
		m := mapOf(t, k, 3, features.Options{Columns: 32, Leverage: &features.Leverage{Points: p}})
		if worst, _ := worstZ(m, data, data, fewer(1000)); !(worst < 5) {
			t.Errorf("%v: mean is %.1f standard errors from the kernel", k, worst)
		}
	}
	k := kernel.Matern{Nu: 0.3, Length: 5}
	opts := features.Options{Columns: 128, Sampler: features.Independent}
	without := ridgeError(t, mapOf(t, k, 3, opts), x)
	opts.Leverage = &features.Leverage{Points: points, Candidates: 16}
	with := ridgeError(t, mapOf(t, k, 3, opts), x)
	t.Logf("relative spectral error %.3f with leverage scores, %.3f without", with, without)
	if with > 0.5*without {
		t.Errorf("relative spectral error %.3f with leverage scores, %.3f without", with, without)
	}
}

// ridgeError is the mean over blocks of the norm at λ = 1e-3.
func ridgeError(t *testing.T, m features.Map, x compute.Matrix) float64 {
	n := x.Rows
	k := exactly(m.Kernel(), x, x)
	ridged := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			ridged.SetSym(i, j, rowOf(k, i)[j])
		}
		ridged.SetSym(i, i, ridged.At(i, i)+1e-3*float64(n))
	}
	var c mat.Cholesky
	if !c.Factorize(ridged) {
		t.Fatal("not positive definite")
	}
	var u mat.TriDense
	c.UTo(&u)
	mean := 0.0
	for b := range 5 {
		got, _ := estimates(m, x, x, b, b+1)
		e := mat.NewDense(n, n, got.Data)
		e.Sub(e, mat.NewDense(n, n, k.Data))
		for range 2 { // U⁻ᵀ·E·U⁻¹
			if err := e.Solve(u.T(), e); err != nil {
				t.Fatal(err)
			}
			e.CloneFrom(e.T())
		}
		mean += mat.Norm(e, 2) / 5
	}
	return mean
}
