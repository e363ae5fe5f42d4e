package polkpaper

import (
	"bytes"
	"context"
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

// The short form of all experiments runs, with MNIST where it is there, and its
// figures are pictures.
func TestShort(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short")
	}
	dir := t.TempDir()
	args, figures := []string{"-short", "-runs", "1", "-out", dir}, 12
	if data, ok := testutil.DataDir(); ok {
		args, figures = append(args, "-mnist", "-data", data), 18
	}
	var out bytes.Buffer
	if err := Run(context.Background(), args, &out); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(dir, "polk-figure*.png"))
	if err != nil || len(paths) != figures || strings.Count(out.String(), "wrote ") != figures {
		t.Errorf("%d figures (%v), want %d:\n%s", len(paths), err, figures, out.String())
	}
	for _, path := range paths {
		picturetest.Check(t, path)
	}
	for _, m := range methods {
		if n := strings.Count(out.String(), "\n"+m.name+"  "); n != figures/6 {
			t.Errorf("%s stands in %d tables", m.name, n)
		}
	}
}

// excess returns the mean error on multidist in excess of the Bayes rule's, over
// draws of the modes, of a method that returns a curve.
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

// At the order 16 and after one pass, POLK with steps that fall errs at most half as
// much in excess of the Bayes rule as BSGD with merging, and a quarter as much as
// BSGD with removal and NORMA, each at the best of some step sizes; with RKHS_PAPERS on more
// draws and step sizes.
func TestOrder16(t *testing.T) {
	const budget = 16
	draws, steps := 8, []float64{0.1, 0.3, 1, 3}
	if testing.Short() {
		t.Skip("left out by -short")
	}
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

// Mean of the squared error relative to the power of the series of Mackey and Glass:
// POLK is ahead of KLMS with the novelty criterion at no more points, and behind the
// second-order KRLS.
func TestMackeyGlassFilters(t *testing.T) {
	r, err := filters(1)
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
