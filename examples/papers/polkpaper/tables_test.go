package polkpaper

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs/examples/internal/picturetest"
	"github.com/rkhs-go/rkhs/examples/papers/internal/baseline"
	"github.com/rkhs-go/rkhs/examples/papers/internal/curve"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

// Short experiments run and write pictures. RKHS_PAPERS adds MNIST if the data is available.
func TestShort(t *testing.T) {
	testutil.Long(t, "takes seconds")
	dir := t.TempDir()
	args, tables := []string{"-short", "-runs", "1", "-out", dir, "-only", "theorems,multidist,textures,filters"}, 2
	if data, ok := testutil.DataDir(); ok && os.Getenv("RKHS_PAPERS") != "" {
		args, tables = []string{"-short", "-runs", "1", "-out", dir, "-data", data}, 3
	}
	figures := 6 * tables
	var out bytes.Buffer
	if err := Run(context.Background(), args, &out); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(dir, "polk-figure*.png"))
	if err != nil || len(paths) != figures || strings.Count(out.String(), "wrote ") != figures+2 {
		t.Errorf("%d figures (%v), want %d:\n%s", len(paths), err, figures, out.String())
	}
	for _, path := range paths {
		picturetest.Check(t, path)
	}
	for _, m := range new(task).methods() {
		if n := strings.Count(out.String(), "\n"+m.name+"  "); n != tables {
			t.Errorf("%s stands in %d tables", m.name, n)
		}
	}
}

// The budgets of the other methods are the orders of POLK for each K.
func TestBudgets(t *testing.T) {
	d := multidist(true, 1)
	methods := d.methods()
	curves, err := d.compare(context.Background(), methods, loss.MulticlassHinge{})
	if err != nil {
		t.Fatal(err)
	}
	order := func(j int) int { return curves[j][len(curves[j])-1].Order }
	reached := make(map[float64]int)
	for j, m := range methods {
		if m.family == paperFamily {
			reached[m.k] = order(j)
		}
	}
	if len(reached) != 2 || reached[d.ks[0]] >= reached[d.ks[1]] {
		t.Fatalf("orders %v: want more of them for a smaller K", reached)
	}
	for j, m := range methods {
		if m.k > 0 && order(j) > reached[m.k] {
			t.Errorf("%s has %d points of %d", m.name, order(j), reached[m.k])
		}
	}
}

// Table 1: diminishing steps converge as 1/t and end nearer to the minimum than constant steps.
// A quarter of the constant step ends at less than 0.8 of the distance (√(1/4) in the limit).
// With constant steps the order stops growing.
func TestTheorems(t *testing.T) {
	testutil.Long(t, "takes seconds")
	c, err := newConvergenceTask(1)
	if err != nil {
		t.Fatal(err)
	}
	var ends []convergence
	fourth := math.NaN()
	for _, r := range regimes {
		points, err := c.follow(context.Background(), r.options, 15, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range points {
			t.Logf("%s, %d steps: %.4f with %.0f points", r.name, p.steps, p.distance.Mean(), p.order.Mean())
		}
		end, before := points[len(points)-1], points[len(points)-3]
		if r.options.Schedule == polk.Constant && end.order.Mean() > 1.2*before.order.Mean() {
			t.Errorf("%s: %v points after %d steps, %v after %d", r.name, end.order, end.steps, before.order, before.steps)
		}
		if r.options.Schedule == polk.Diminishing {
			fourth = before.distance.Mean()
		}
		ends = append(ends, end)
	}
	if d := ends[0].distance.Mean(); d > 0.4*fourth || d > ends[2].distance.Mean() {
		t.Errorf("diminishing steps end at %v, and were at %v after a fourth of them; constant ones end at %v", d, fourth, ends[2].distance.Mean())
	}
	if a, b := ends[1].distance.Mean(), ends[2].distance.Mean(); b > 0.8*a {
		t.Errorf("steps of 0.4 end at %v, of 0.1 at %v", a, b)
	}
}

// The gradient is zero at the minimum: the derivatives at f* give f* again.
func TestMinimumOfTheorems(t *testing.T) {
	c, err := newConvergenceTask(2)
	if err != nil {
		t.Fatal(err)
	}
	f, err := c.best.Predict(c.rows.X)
	if err != nil {
		t.Fatal(err)
	}
	for i, y := range c.rows.Y {
		g := make([]float64, convergenceClasses)
		loss.Softmax{}.Gradient(g, f.RawRowView(i), int(y))
		for j, v := range g {
			want := -v / (convergenceRidge * convergenceRows)
			if got := c.best.Weights.At(i, j); math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
				t.Fatalf("weight %d, %d is %v, and %v of the values", i, j, got, want)
			}
		}
	}
}

// excess returns the mean excess error over the Bayes rule on multidist, over draws of the modes.
func excess(t *testing.T, draws int, run func(*task) ([]curve.Point, error)) (mean float64, most int) {
	t.Helper()
	for seed := range uint64(draws) {
		d := multidist(false, seed)
		points, err := run(d)
		if err != nil {
			t.Fatal(err)
		}
		end := points[len(points)-1]
		mean += (end.Error - d.bayes) / float64(draws)
		most = max(most, end.Order)
	}
	return mean, most
}

// At order 16 and after one pass, POLK with diminishing steps has at most half the excess error of
// BSGD with merging, and a quarter of the excess error of BSGD with removal and of NORMA. The
// competitors use the best of several step sizes. RKHS_PAPERS adds draws and step sizes.
func TestOrder16(t *testing.T) {
	const budget = 16
	draws, steps := 8, []float64{0.1, 0.3, 1, 3}
	testutil.Long(t, "takes seconds")
	if os.Getenv("RKHS_PAPERS") == "" {
		draws, steps = 2, []float64{1}
	}
	ctx := context.Background()
	for _, l := range losses {
		ours, order := excess(t, draws, func(d *task) ([]curve.Point, error) {
			return d.polk(ctx, polk.Options{Loss: l.loss, Horizon: len(d.train.Y), MaxPoints: budget})
		})
		t.Logf("%s: POLK %.2f %%", l.name, 100*ours)
		if order > budget {
			t.Errorf("%s: %d points, want %d", l.name, order, budget)
		}
		for _, c := range []struct {
			name string
			m    baseline.Maintenance
			part float64
		}{{"BSGD, merging", baseline.Merge{}, 0.5}, {"BSGD, removing", baseline.DropSmallest{}, 0.25}, {"NORMA", baseline.DropOldest{}, 0.25}} {
			best := bestStep(t, draws, steps, budget, l.loss, c.m)
			t.Logf("%s: %s %.2f %%", l.name, c.name, 100*best)
			if ours > c.part*best {
				t.Errorf("%s: POLK %.2f %%, %s %.2f %%: want %v of it", l.name, 100*ours, c.name, 100*best, c.part)
			}
		}
	}
}

func bestStep(t *testing.T, draws int, steps []float64, budget int, l loss.Multiclass, m baseline.Maintenance) float64 {
	best := 1.0
	for _, step := range steps {
		e, _ := excess(t, draws, func(d *task) ([]curve.Point, error) {
			d.budgeted, d.every = step, len(d.train.Y)
			return onBudget(m)(d, context.Background(), l, budget)
		})
		best = min(best, e)
	}
	return best
}

// On the Mackey-Glass series POLK has a lower error than KLMS with the novelty criterion, with no
// more points. The second-order KRLS has a lower error than POLK.
func TestMackeyGlassFilters(t *testing.T) {
	r, err := filters(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r {
		t.Logf("%s: %.4f with %d points", f.name, f.nmse, f.order)
	}
	klms, krls, ours := r[0], r[1], r[2]
	if ours.nmse > 0.04 || ours.nmse > klms.nmse || ours.order > klms.order {
		t.Errorf("POLK %.4f with %d points, KLMS-NC %.4f with %d", ours.nmse, ours.order, klms.nmse, klms.order)
	}
	if krls.nmse > 0.02 {
		t.Errorf("KRLS-ALD %.4f with %d points, want 0.02", krls.nmse, krls.order)
	}
}
