package linalg

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

func TestWoodburyRefactor(t *testing.T) {
	for _, m := range sizes {
		pr := newProblem(random(newRand(uint64(m)), 2*m, m), 0.5)
		rng := newRand(20)
		for j := range m {
			pr.set(j, math.Exp(4*rng.NormFloat64()))
		}
		if !pr.w.Refactor(1) {
			t.Fatalf("m = %d: refactorisation failed", m)
		}
		pr.check(t, "refactored")
		one := slices.Clone(pr.w.g.data)
		for _, workers := range []int{2, 8} {
			if pr.w.Refactor(workers); !slices.Equal(one, pr.w.g.data) {
				t.Errorf("m = %d: %d workers give other bits than one", m, workers)
			}
		}
		pr.set(m/2, 0)
		pr.check(t, "updated after refactorisation")
	}
}

// For inner products that no columns have, the factorisation fails and does not change G.
func TestWoodburyRefactorFails(t *testing.T) {
	w := NewWoodbury(1)
	w.Set(0, 1, nil, 1)
	w.Set(1, 1, []float64{5}, 1)
	before := slices.Clone(w.g.data)
	if w.Refactor(1) || w.Updates() != 2 || !slices.Equal(w.g.data, before) {
		t.Errorf("updates %d, G %v, was %v", w.Updates(), w.g.data, before)
	}
}

func TestWoodburyDrift(t *testing.T) {
	pr := newProblem(random(newRand(21), 60, 30), 1)
	scaled := NewWoodbury(1)
	for j := range 30 {
		pr.set(j, 1+float64(j))
		// Columns of C times 8, weights by 64: the same inverse, exactly.
		cross := make([]float64, j)
		for k := range cross {
			cross[k] = 64 * pr.p.At(j, k)
		}
		scaled.Set(j, (1+float64(j))/64, cross, 64*pr.p.At(j, j))
	}
	d := pr.w.Drift()
	if d > 1e-12 {
		t.Errorf("drift %.3g of a new inverse", d)
	}
	if s := scaled.Drift(); s != d {
		t.Errorf("drift %v depends on the scale: %v", d, s)
	}
	// Drift must detect a relative error of 1e-6 in one pair of columns.
	pr.w.g.row(17)[3] += 1e-6 * math.Sqrt(pr.w.mu[17]*pr.w.mu[3])
	if d := pr.w.Drift(); d < 1e-8 || d > 1e-3 {
		t.Errorf("drift %.3g of an inverse that is wrong by 1e-6", d)
	}
	pr.w.g.data[0] = math.NaN()
	if d := pr.w.Drift(); d == d {
		t.Errorf("drift %v of an inverse that is not a number", d)
	}
}

// The difference of duplicate columns has the first errors. A vector of equal numbers does not detect
// them.
func TestWoodburyDriftSeesDuplicates(t *testing.T) {
	c := random(newRand(24), 20, 2)
	for i := range c.Rows {
		compute.Row(c, i)[1] = compute.Row(c, i)[0]
	}
	pr := newProblem(c, 1)
	pr.set(0, 1)
	pr.set(1, 1)
	pr.w.g.row(0)[0] += 1e-3
	pr.w.g.row(1)[0] -= 1e-3
	pr.w.g.row(1)[1] += 1e-3
	if d := pr.w.Drift(); d < 1e-4 {
		t.Errorf("drift %.3g of an inverse that is wrong by 1e-3", d)
	}
}

// descend minimises the objective of SLKL exactly in random coordinates, like
// the solver. It refactors after every updates unless every is zero, and returns
// the largest drift.
func (pr *problem) descend(y []float64, nu float64, steps, every int) float64 {
	rng := newRand(22)
	_, m := pr.c.Dims()
	cross, u, cy := make([]float64, m), make([]float64, m), make([]float64, m)
	var worst float64
	for step := range steps {
		q, m0 := rng.IntN(m), pr.w.Len()
		for k, a := range pr.w.Active() {
			cross[k], cy[k] = pr.p.At(q, a), y[a]
		}
		pr.w.MulVecTo(u[:m0], cross[:m0])
		a := (y[q] - floats.Dot(u[:m0], cy[:m0])/pr.lam) / pr.lam
		b := (pr.p.At(q, q) - floats.Dot(u[:m0], cross[:m0])/pr.lam) / pr.lam
		var mu float64
		if at := pr.w.position(q); at >= 0 {
			mu = pr.w.mu[at]
		}
		if mu += (math.Sqrt(pr.lam/nu)*math.Abs(a) - 1) / b; b > 0 {
			pr.w.Set(q, max(0, mu), cross[:m0], pr.p.At(q, q))
		}
		if every > 0 && pr.w.Updates() >= every {
			worst = max(worst, pr.w.Drift())
			pr.w.Refactor(1)
		}
		if step%1000 == 999 {
			worst = max(worst, pr.w.Drift())
		}
	}
	return worst
}

// Drift over 5e4 coordinate steps of SLKL on its task of learning sinc, without
// refactorisation, with one every 200 updates, and after a last one.
func TestWoodburyDescentDrift(t *testing.T) {
	for _, tc := range []struct {
		nu                     float64
		drift, kept, refreshed float64
	}{
		{1e-2, 1e-9, 1e-12, 1e-13},
		{1e-4, 1e-6, 1e-9, 1e-11},
	} {
		free, y := sinc(200, 64)
		kept, _ := sinc(200, 64)
		drift := free.descend(y, tc.nu, 50000, 0)
		held := kept.descend(y, tc.nu, 50000, 200)
		updates := free.w.Updates()
		free.w.Refactor(1)
		refreshed := free.w.Drift()
		t.Logf("nu %g: %d updates, m0 %d, drift %.2g, with refactorisation %.2g, after the last %.2g", tc.nu, updates, free.w.Len(), drift, held, refreshed)
		if drift > tc.drift || held > tc.kept || refreshed > tc.refreshed {
			t.Errorf("nu %g: want at most %g, %g, %g", tc.nu, tc.drift, tc.kept, tc.refreshed)
		}
	}
}

// sinc returns n samples of sin(x)/x with noise, the columns of m landmarks with
// exact duplicates among them, and their products with the targets.
func sinc(n, m int) (*problem, []float64) {
	rng := newRand(23)
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = 20*rng.Float64() - 10
		y[i] = math.Sin(x[i])/x[i] + 0.1*rng.NormFloat64()
	}
	c := general(n, m)
	for i := range n {
		for j := range m {
			landmark := x[j]
			if j%8 == 7 {
				landmark = x[j/2]
			}
			c.Data[i*c.Stride+j] = math.Exp(-(x[i] - landmark) * (x[i] - landmark))
		}
	}
	cy := make([]float64, m)
	for i := range n {
		floats.AddScaled(cy, y[i], compute.Row(c, i))
	}
	return newProblem(c, 1), cy
}
