package slkl_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

const rows = 420

// base holds options for which a fit and a learner solve the same problem.
func base() slkl.Options {
	p, _ := sample(50, 3, 1, 99)
	return slkl.Options{Points: p, Kernels: []kernel.Kernel{kernel.Gaussian{Sigma: 1.5}}, Penalty: 0.01}
}

// agree compares objectives to 1e-10 and predictions, minus an offset, to 1e-6.
func agree(t *testing.T, name string, got, want *slkl.Model, x mat.Matrix, offset float64) {
	t.Helper()
	for o, r := range got.Report().Outputs {
		if w := want.Report().Outputs[o].Objective; !near(r.Objective, w, 1e-10) {
			t.Errorf("%s: objective %.15g, want %.15g: relative difference %.1e", name, r.Objective, w, r.Objective/w-1)
		}
	}
	var p mat.Dense
	p.Apply(func(_, _ int, v float64) float64 { return v - offset }, predict(t, got, x))
	if d := far(&p, predict(t, want, x)); !(d <= 1e-6) {
		t.Errorf("%s: predictions differ by %.1e", name, d)
	}
}

// inBatches adds the listed rows in batches of the given size.
func inBatches(t *testing.T, x, y *mat.Dense, list []int, size int, o slkl.Options) *slkl.Learner {
	t.Helper()
	a := learner(t, o)
	for part := range slices.Chunk(list, size) {
		add(t, a, rowsOf(x, part), rowsOf(y, part))
	}
	if a.Rows() != len(list) {
		t.Fatalf("%d rows of %d", a.Rows(), len(list))
	}
	return a
}

// TestBatchesAndOrder adds the same rows in several orders and batches, also with targets offset by 2²⁰,
// which is exact.
func TestBatchesAndOrder(t *testing.T) {
	x, y := sample(rows, 3, 2, 1)
	test, _ := sample(60, 3, 1, 2)
	want := fit(t, x, y, base())
	backwards := span(0, rows)
	slices.Reverse(backwards)
	sorted := span(0, rows) // by target, so that the means change throughout
	slices.SortFunc(sorted, func(i, j int) int {
		if y.At(i, 0) < y.At(j, 0) {
			return -1
		}
		return 1
	})
	for _, offset := range []float64{0, 1 << 20} {
		var shifted mat.Dense
		shifted.Apply(func(_, _ int, v float64) float64 { return v + offset }, y)
		for name, list := range map[string][]int{
			"in order": span(0, rows), "backwards": backwards, "sorted": sorted, "shuffled": rand.New(rand.NewPCG(5, 6)).Perm(rows),
		} {
			for _, size := range []int{1, 7, rows} {
				m := solve(t, inBatches(t, x, &shifted, list, size, base()))
				agree(t, fmt.Sprintf("offset %g, %s, batches of %d", offset, name, size), m, want, test, offset)
			}
		}
	}
}

func TestMergedParts(t *testing.T) {
	x, y := sample(rows, 3, 2, 1)
	test, _ := sample(60, 3, 1, 2)
	want := fit(t, x, y, base())
	for _, cuts := range [][]int{{0, 210, rows}, {0, 1, 2, rows}, {0, 100, 150, 400, rows}, {0, 0, rows, rows}} {
		for _, offset := range []float64{0, 1 << 20} {
			var shifted mat.Dense
			shifted.Apply(func(_, _ int, v float64) float64 { return v + offset }, y)
			var parts []*slkl.Learner
			for i := range cuts[1:] {
				parts = append(parts, inBatches(t, x, &shifted, span(cuts[i], cuts[i+1]), 10, base()))
			}
			slices.Reverse(parts)
			whole := learner(t, base())
			for _, p := range parts {
				before := marshal(t, p)
				merge(t, whole, p)
				if !unchanged(t, p, before) {
					t.Error("Merge changes its argument")
				}
			}
			before := marshal(t, parts[0])
			add(t, whole, test, mat.NewDense(60, 2, nil))
			if !unchanged(t, parts[0], before) {
				t.Error("a merged part shares data with the whole")
			}
			if whole.Rows() != rows+60 {
				t.Errorf("%d rows, want %d", whole.Rows(), rows+60)
			}
			again := learner(t, base())
			for _, p := range parts {
				merge(t, again, p)
			}
			agree(t, fmt.Sprintf("parts %v, offset %g", cuts, offset), solve(t, again), want, test, offset)
		}
	}
}

// TestMergeFresh merges into a learner without rows, and merges a learner without rows,
// from a file.
func TestMergeFresh(t *testing.T) {
	x, y := sample(rows, 3, 2, 1)
	full := inBatches(t, x, y, span(0, rows), 50, base())
	want := marshal(t, full)
	var fresh slkl.Learner
	if err := fresh.UnmarshalBinary(marshal(t, learner(t, base()))); err != nil {
		t.Fatal(err)
	}
	merge(t, full, &fresh)
	if !unchanged(t, full, want) {
		t.Error("a learner that has seen nothing changes another")
	}
	merge(t, &fresh, full)
	if got, want := solve(t, &fresh).Report().Outputs[1].Objective, solve(t, full).Report().Outputs[1].Objective; fresh.Rows() != rows || !near(got, want, 1e-12) {
		t.Errorf("%d rows, objective %v, want %v", fresh.Rows(), got, want)
	}
}

// TestKernelOfNoOutput expects nil if the output does not exist.
func TestKernelOfNoOutput(t *testing.T) {
	x, y := sample(30, 3, 2, 1)
	m := fit(t, x, y, base())
	if m.Kernel(0) == nil || m.Kernel(1) == nil || m.Kernel(-1) != nil || m.Kernel(2) != nil {
		t.Errorf("kernels %v, %v, %v, %v", m.Kernel(-1), m.Kernel(0), m.Kernel(1), m.Kernel(2))
	}
}

// TestMergeWithItself counts every row twice: F of twice the rows is twice F if lam and nu double.
func TestMergeWithItself(t *testing.T) {
	x, y := sample(rows, 3, 1, 1)
	once := fit(t, x, y, base())
	o := base()
	o.Ridge, o.Penalty = 2, 0.02
	a := inBatches(t, x, y, span(0, rows), rows, o)
	merge(t, a, a)
	twice := solve(t, a)
	if got, want := twice.Report().Outputs[0].Objective, 2*once.Report().Outputs[0].Objective; a.Rows() != 2*rows || !near(got, want, 1e-10) {
		t.Errorf("%d rows, objective %.15g, want %.15g", a.Rows(), got, want)
	}
}

func TestMergeRefuses(t *testing.T) {
	x, y := sample(30, 3, 2, 1)
	a := learner(t, base())
	add(t, a, x, y)
	before := marshal(t, a)
	with := func(change func(*slkl.Options)) *slkl.Learner {
		o := base()
		change(&o)
		b := learner(t, o)
		add(t, b, x, y)
		return b
	}
	changed := mat.DenseCopyOf(base().Points)
	changed.Set(7, 1, changed.At(7, 1)+1e-9)
	one := learner(t, base())
	add(t, one, x, y.ColView(0))
	for _, c := range []struct {
		name string
		b    *slkl.Learner
		err  error
	}{
		{"kernel", with(func(o *slkl.Options) { o.Kernels = []kernel.Kernel{kernel.Gaussian{Sigma: 3}} }), rkhs.ErrOption},
		{"kernels", with(func(o *slkl.Options) { o.Kernels = mixture() }), rkhs.ErrOption},
		{"folds", with(func(o *slkl.Options) { o.Penalty = 0 }), rkhs.ErrOption},
		{"seed", with(func(o *slkl.Options) { o.Seed = 1 }), rkhs.ErrOption},
		{"a landmark", with(func(o *slkl.Options) { o.Points = changed }), rkhs.ErrShape},
		{"landmarks", with(func(o *slkl.Options) { o.Points = changed.Slice(0, 49, 0, 3) }), rkhs.ErrShape},
		{"outputs", one, rkhs.ErrShape},
	} {
		t.Run(c.name, func(t *testing.T) {
			other := marshal(t, c.b)
			err := a.Merge(c.b)
			if !errors.Is(err, c.err) || !strings.HasPrefix(err.Error(), "slkl: ") {
				t.Errorf("error %v, want one that wraps %v", err, c.err)
			}
			if !unchanged(t, a, before) || !unchanged(t, c.b, other) {
				t.Error("a merge with an error changed the learner")
			}
		})
	}
}

// TestMergeAfterLoading merges learners saved by other processes.
func TestMergeAfterLoading(t *testing.T) {
	x, y := sample(rows, 3, 1, 1)
	o := base()
	o.Penalty, o.Kernels = 0, mixture()
	a, b := inBatches(t, x, y, span(0, 200), 50, o), inBatches(t, x, y, span(200, rows), 50, o)
	want := inBatches(t, x, y, span(0, 200), 50, o)
	merge(t, want, b)
	var loaded slkl.Learner
	if err := loaded.UnmarshalBinary(marshal(t, b)); err != nil {
		t.Fatal(err)
	}
	merge(t, a, &loaded)
	if !unchanged(t, a, marshal(t, want)) {
		t.Error("merging a loaded learner gives other bits")
	}
}

// TestLoadingKeepsTheOptions solves with all options different from their defaults, before and after a
// file.
func TestLoadingKeepsTheOptions(t *testing.T) {
	x, y := sample(rows, 3, 2, 1)
	all := slkl.Options{Points: base().Points, Kernels: mixture()[:2], Penalty: 0.003, MemoryLimit: 1 << 28, Seed: 17, Paper: slkl.Paper{Ridge: 2.5, NoIntercept: true, Shared: true, Order: slkl.UniformRandom, Rule: slkl.NewtonStep, Epsilon: 1e-3, Iterations: 300000}}
	loose := slkl.Options{Points: base().Points, Penalty: 0.003, Tolerance: 0.2, Paper: slkl.Paper{Shared: true}}
	cv := slkl.Options{Points: base().Points, Seed: 18, Tolerance: 1e-3, Paper: slkl.Paper{Folds: 3, PenaltyGrid: []float64{0.1, 1e-3, 1e-5}}}
	for name, o := range map[string]slkl.Options{"given nu": all, "tolerance": loose, "cross-validation": cv} {
		a := inBatches(t, x, y, span(0, rows), 40, o)
		var b slkl.Learner
		if err := b.UnmarshalBinary(marshal(t, a)); err != nil {
			t.Fatal(err)
		}
		if got, want := marshal(t, solve(t, &b)), marshal(t, solve(t, a)); !slices.Equal(got, want) {
			t.Errorf("%s: the loaded learner solves otherwise", name)
		}
	}
}

// TestOptionsAreCopied changes the option lists after creating the learner.
func TestOptionsAreCopied(t *testing.T) {
	x, y := sample(rows, 3, 1, 1)
	o := slkl.Options{Points: mat.DenseCopyOf(base().Points), Kernels: mixture(), Paper: slkl.Paper{PenaltyGrid: []float64{0.1, 1e-3, 1e-5}}}
	want := solve(t, inBatches(t, x, y, span(0, rows), 40, o))
	a := learner(t, o)
	o.Kernels[0] = kernel.Gaussian{Sigma: 9}
	copy(o.PenaltyGrid, []float64{0.9, 0.8, 0.7})
	o.Points.(*mat.Dense).Set(0, 0, 5)
	for part := range slices.Chunk(span(0, rows), 40) {
		add(t, a, rowsOf(x, part), rowsOf(y, part))
	}
	if !unchanged(t, solve(t, a), marshal(t, want)) {
		t.Error("the learner changes with the options it was made from")
	}
}

func TestSolveWithoutRows(t *testing.T) {
	a := learner(t, base())
	if m, err := a.Model(context.Background()); m != nil || !errors.Is(err, rkhs.ErrEmpty) {
		t.Errorf("model %v, error %v", m, err)
	}
	if m, err := a.Path(context.Background(), []float64{1}); m != nil || !errors.Is(err, rkhs.ErrEmpty) {
		t.Errorf("models %v, error %v", m, err)
	}
}
