package learn

import (
	"context"
	"testing"

	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

// bundle runs the methods of slklTake as a worker does on a bundle. If it is to fail it ends
// half-way, as one whose worker dies.
func bundle(t *testing.T, f *slklTake, prototype []byte, batches []rows.Batch, fails bool) (parts []slklPart) {
	t.Helper()
	ctx := context.Background()
	emit := func(_ int, p slklPart) {
		q, err := decodeSLKL(encodeSLKL(p)) // which the next stage gets
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, q)
	}
	if err := f.StartBundle(ctx, emit); err != nil {
		t.Fatal(err)
	}
	for i, b := range batches {
		if fails && i == len(batches)/2 {
			return parts
		}
		if err := f.take(&b, func() ([]byte, error) { return prototype, nil }); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.FinishBundle(ctx, emit); err != nil {
		t.Fatal(err)
	}
	return parts
}

// TestRetriedBundleChangesNothing lets bundles fail half-way and runs them again, on the same
// function and on a new one. (Prism does not try bundles again, so that this is done by hand,
// with the methods that Beam calls; a runner throws away what a failed bundle has emitted.)
func TestRetriedBundleChangesNothing(t *testing.T) {
	batches := table(1, 5000, 10, 300, 7, 2000, 1)
	st := describeAll(t, batches)
	begin, err := newSLKLBegin(false, &slkl.Options{MaxPoints: 50, Metric: kernel.NoMetric, PenaltyGrid: []float64{1e-2, 1e-4}})
	if err != nil {
		t.Fatal(err)
	}
	var prototype []byte
	given := false
	err = begin.ProcessElement(context.Background(), nil, func(s *Statistics) bool {
		*s, given = st, !given
		return given
	}, func(file []byte) { prototype = file })
	if err != nil {
		t.Fatal(err)
	}
	solve := func(failures bool) *slkl.Model {
		t.Helper()
		f, sum := new(slklTake), slklPart{}
		for from := 0; from < len(batches); from += 2 {
			if failures {
				if left := bundle(t, f, prototype, batches[from:from+2], true); len(left) > 0 {
					t.Fatal("a bundle that failed handed on its rows")
				}
				if from == 2 {
					f = new(slklTake)
				}
			}
			for _, p := range bundle(t, f, prototype, batches[from:from+2], false) {
				if sum, err = new(slklMerge).MergeAccumulators(sum, p); err != nil {
					t.Fatal(err)
				}
			}
		}
		m, err := sum.learner.(*slkl.Learner).Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	without, with := solve(false), solve(true)
	if d := apart(predictions(t, with, batches), predictions(t, without, batches)); d != 0 {
		t.Errorf("predictions differ by %v", d)
	}
	if d := apart(predictions(t, with, batches), predictions(t, oneMachine(t, batches, &slkl.Options{MaxPoints: 50, Metric: kernel.NoMetric, PenaltyGrid: []float64{1e-2, 1e-4}}), batches)); !(d < 1e-10) {
		t.Errorf("predictions differ from those of one machine by %v", d)
	}
}
