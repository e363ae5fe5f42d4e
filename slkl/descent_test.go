package slkl

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/synthetic"
)

// points returns n landmarks from rows of x. It perturbs repeated rows slightly, since equal landmarks
// would be dropped.
func points(x *mat.Dense, n int, rows func(i int) int) *mat.Dense {
	_, d := x.Dims()
	p := mat.NewDense(n, d, nil)
	for i := range n {
		p.SetRow(i, x.RawRowView(rows(i)))
		if i > 0 && rows(i) == rows(i-1) {
			p.Set(i, 0, math.Nextafter(p.At(i, 0), 10))
		}
	}
	return p
}

// TestDescentDrift uses a tiny nu and exact duplicates among the landmarks, for
// which the inverse has drift. The maintained objective must still equal the
// direct objective, and the gap must have its certificate.
func TestDescentDrift(t *testing.T) {
	set, _ := synthetic.Sinc(300, 2)
	for _, c := range []struct {
		name string
		nu   float64
		rows func(i int) int
	}{
		{"tiny nu", 1e-8, func(i int) int { return i }},
		{"duplicates", .01, func(i int) int { return i / 2 }},
		{"duplicates, tiny nu", 1e-8, func(i int) int { return i / 2 }},
	} {
		opts := &Options{Penalty: c.nu, Paper: Paper{Order: UniformRandom, Epsilon: 1e-6}}
		opts.Points = points(set.X, 200, c.rows)
		m, err := Fit(context.Background(), set.X, targetsOf(set), opts)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		opts.Epsilon, opts.Order = 0, Greedy
		best, err := Fit(context.Background(), set.X, targetsOf(set), opts)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		r, b := m.Report().Outputs[0], best.Report().Outputs[0]
		if b.RelativeGap() > 1e-7 || r.Objective < b.Objective*(1-1e-9) || !near(r.Objective, b.Objective, 1e-2) {
			t.Errorf("%s: descent ended at %v, minimum %v (gap %.1e, %v)", c.name, r.Objective, b.Objective, b.RelativeGap(), b.Status)
		}
	}
}

// TestSharedMuOneOutput: for a single output a shared mu is the same problem,
// solved by other code.
func TestSharedMuOneOutput(t *testing.T) {
	set, _ := synthetic.Sinc(400, 3)
	y := mat.NewDense(len(set.Y), 2, nil)
	for i, v := range set.Y {
		y.Set(i, 0, v) // the second output is constant and has no effect
		y.Set(i, 1, 7)
	}
	opts := &Options{MaxPoints: 100, Penalty: .01}
	one, err := Fit(context.Background(), set.X, targetsOf(set), opts)
	if err != nil {
		t.Fatal(err)
	}
	opts.Shared = true
	two, err := Fit(context.Background(), set.X, y, opts)
	if err != nil {
		t.Fatal(err)
	}
	a, b := one.Report().Outputs[0], two.Report().Outputs[0]
	if !near(a.Objective, b.Objective, 2e-9) || a.ModelOrder != b.ModelOrder {
		t.Errorf("Lasso: F = %v with m0 = %d; group Lasso: F = %v with m0 = %d", a.Objective, a.ModelOrder, b.Objective, b.ModelOrder)
	}
}
