package ridge

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// If conjugate gradients are slow, a factor in the memory of half of the matrix gives the same function and the
// same leave-one-out predictions as the full factor.
func TestSlowConjugateGradients(t *testing.T) {
	x, y := wave(600, 8)
	o := Options{Kernel: kernel.Gaussian{Sigma: 4}, Ridge: 1e-12}
	slow, exact := problemOf(t, x, y, o), problemOf(t, x, y, o)
	slow.solver, exact.solver = iterating, factorising
	got, err := slow.solve()
	if err != nil {
		t.Fatal(err)
	}
	want, err := exact.solve()
	if err != nil {
		t.Fatal(err)
	}
	if slow.report.Status != rkhs.Converged || slow.report.Iterations <= slowSteps || slow.report.Iterations > slowSteps+4 {
		t.Errorf("%v after %d iterations, want a factor after %d", slow.report.Status, slow.report.Iterations, slowSteps)
	}
	if d := floats.Distance(got.weights.Data, want.weights.Data, 2); d > 1e-6*floats.Norm(want.weights.Data, 2) {
		t.Errorf("the weights differ by %g", d)
	}
	order := rng.New(0, "ridge order of rows", 0).Perm(600)
	if slow.sample.Rows() != 600 || exact.sample.Rows() != 600 {
		t.Fatalf("%d and %d rows are left out", slow.sample.Rows(), exact.sample.Rows())
	}
	for i, row := range order {
		for o, v := range compute.Row(slow.sample.Scores, i) {
			if want := compute.Row(exact.sample.Scores, row)[o]; math.Abs(v-want) > 1e-5*(1+math.Abs(want)) {
				t.Fatalf("row %d left out: %v, want %v", row, v, want)
			}
		}
	}
}

// Held-out rows may lack a rare class. Its targets are then equal up to rounding and must not dominate the error.
func TestHeldOutWithoutAClass(t *testing.T) {
	x, y := wave(500, 3)
	classes := make([]int, 500)
	for i := range 500 {
		classes[i] = i % 2
		y.Set(i, 0, float64(2*classes[i]-1))
		y.Set(i, 1, -1)
		x.Set(i, 0, float64(3*classes[i]))
	}
	y.Set(7, 1, 1)
	p := problemOf(t, x, y, Options{Kernel: kernel.Gaussian{Sigma: 2}, Ridge: 1e-6})
	p.solver = iterating
	set := calibrate.Sets(500, 500, nil, calibrate.Refits(1), 3, nil)[0]
	for i, row := range set {
		if row == 7 {
			set = append(set[:i], set[i+1:]...)
			break
		}
	}
	p.without(set, calibrate.Others(500, set), 0)
	if s := p.held.scale; s[1] != 0 || !(s[0] > 0.5) {
		t.Errorf("the scales of targets are %v, want that of the class that the held-out rows lack to be 0", s)
	}
	f, err := p.solve()
	if err != nil {
		t.Fatal(err)
	}
	if e := p.report.HeldOut; e[0] > 0.05 || floats.Norm(f.weights.Data, 2) == 0 {
		t.Errorf("held-out errors %v", e)
	}
}
