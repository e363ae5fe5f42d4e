package learn

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/slkl"
)

// bundle runs the methods of slklTake as a worker does on a bundle. If fails is true it stops
// half-way, as if the worker died.
func bundle(t *testing.T, f *slklTake, prototype []byte, batches []rows.Batch, fails bool) (parts []slklPart) {
	t.Helper()
	ctx := context.Background()
	emit := func(_ int, p slklPart) {
		q, err := decodeSLKL(encodeSLKL(p)) // as the next stage receives it
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

// TestRetriedBundleChangesNothing fails bundles half-way and runs them again, with the same
// function and with a new one. Prism does not retry bundles, so the test calls the methods
// directly. Runners discard the output of a failed bundle.
func TestRetriedBundleChangesNothing(t *testing.T) {
	batches := table(1, 5000, 10, 300, 7, 2000, 1)
	st := describeAll(t, batches)
	begin, err := newSLKLBegin(false, &slkl.Options{MaxPoints: 50, Metric: kernel.NoMetric, Paper: slkl.Paper{PenaltyGrid: []float64{1e-2, 1e-4}}})
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
	if d := apart(predictions(t, with, batches), predictions(t, oneMachine(t, batches, &slkl.Options{MaxPoints: 50, Metric: kernel.NoMetric, Paper: slkl.Paper{PenaltyGrid: []float64{1e-2, 1e-4}}}), batches)); !(d < 1e-10) {
		t.Errorf("predictions differ from those of one machine by %v", d)
	}
}

// each iterates over a list as Beam does.
func each[T any](list []T) func(*T) bool {
	return func(v *T) bool {
		if len(list) == 0 {
			return false
		}
		*v, list = list[0], list[1:]
		return true
	}
}

// keep returns an emitter that appends to a list.
func keep[T any](list *[]T) func(T) { return func(v T) { *list = append(*list, v) } }

// keyed is an element with its key.
type keyed[V any] struct {
	key   int
	value V
}

// bundles runs the methods of a step on bundles of four batches and returns the output. If
// failing is true, each bundle first stops half-way with the same function, and its output is
// discarded.
func bundles[V any](t *testing.T, failing bool, batches []rows.Batch, start func(func(int, V)) error, take func(rows.Batch, func(int, V)) error, end func(func(int, V)) error) (all []keyed[V]) {
	t.Helper()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for bundle := range slices.Chunk(batches, 4) {
		var out []keyed[V]
		emit := func(k int, v V) { out = append(out, keyed[V]{k, v}) }
		if failing {
			check(start(emit))
			for _, b := range bundle[:(len(bundle)+1)/2] {
				check(take(b, emit))
			}
			out = nil
		}
		check(start(emit))
		for _, b := range bundle {
			check(take(b, emit))
		}
		check(end(emit))
		all = append(all, out...)
	}
	return all
}

// rounded runs a round by hand. Each step first fails on each shard. The retry receives the
// pieces of the shard and all parts in reverse order.
func rounded(t *testing.T, of shardLearner, shards [][]dealt, model []byte) []byte {
	t.Helper()
	ctx := context.Background()
	ended, cancel := context.WithCancel(ctx)
	cancel()
	file, err := beginRound(model)
	if err != nil {
		t.Fatal(err)
	}
	state := [][]byte{file}
	for at := range stages {
		var parts, next [][]byte
		take := &roundTake{Of: of, At: at}
		emit := func(_ int, file []byte) { parts = append(parts, file) }
		for k, pieces := range shards {
			before := len(parts)
			if err := take.ProcessElement(ended, k, each(pieces), each(state), emit); !errors.Is(err, context.Canceled) || len(parts) > before {
				t.Fatalf("a step that ended: %v, %d parts", err, len(parts)-before)
			}
			slices.Reverse(pieces)
			if err := take.ProcessElement(ctx, k, each(pieces), each(state), emit); err != nil {
				t.Fatal(err)
			}
		}
		slices.Reverse(parts)
		for range 2 {
			list := parts
			parts = nil
			if err := new(roundAdd).ProcessElement(ctx, 0, each(list), emit); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 { // the first attempt must not change it
			next = nil
			sum := [][]byte{unnumbered(0, parts[0])}
			if err := (&roundNext{Of: of, At: at}).ProcessElement(ctx, 0, each(sum), each(state), keep(&next)); err != nil {
				t.Fatal(err)
			}
		}
		state = next
	}
	return state[0]
}

// TestRetriedShardsChangeNothing assigns rows by bundles that fail half-way, fits each shard
// first with a cancelled context, merges twice with different orders, and runs the rounds. The
// model must equal the model of Prism bit for bit.
func TestRetriedShardsChangeNothing(t *testing.T) {
	ctx := context.Background()
	ended, cancel := context.WithCancel(ctx)
	cancel()
	batches := table(1, 900, 1, 600)
	k := kernel.Gaussian{Sigma: 0.7}
	for name, of := range map[string]func() (*Method, error){
		"polk": func() (*Method, error) {
			return Polk(PolkOptions{Shards: 3, Options: polk.Options{Kernel: k, Ridge: 1e-5, MaxPoints: 40}})
		},
		"doublysgd": func() (*Method, error) {
			return DoublySGD(DoublySGDOptions{Shards: 3, Rounds: 2, Options: doublysgd.Options{Kernel: k, Ridge: 1e-5, Features: 128}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			method, err := of()
			want, err := learnedBy(t, batches, method, err)
			if err != nil {
				t.Fatal(err)
			}
			begin := method.begin.(*shardBegin)
			var plan [][]byte
			if err := begin.ProcessElement(ctx, nil, each([]Statistics{describeAll(t, batches)}), keep(&plan)); err != nil {
				t.Fatal(err)
			}
			shards := make([][]dealt, begin.Of.Shards)
			f := &deal{Shards: begin.Of.Shards}
			for _, d := range bundles(t, true, cut(batches, 100),
				func(emit func(int, dealt)) error { return f.StartBundle(ctx, emit) },
				func(b rows.Batch, emit func(int, dealt)) error { return f.ProcessElement(ctx, b, emit) },
				func(emit func(int, dealt)) error { return f.FinishBundle(ctx, emit) }) {
				shards[d.key] = append(shards[d.key], d.value)
			}
			var models [][]byte
			fit := &shardFit{Of: begin.Of}
			emit := func(_ int, file []byte) { models = append(models, file) }
			for k, pieces := range shards {
				if err := fit.ProcessElement(ended, k, each(pieces), each(plan), emit); !errors.Is(err, context.Canceled) || len(models) > k {
					t.Fatalf("a fit that ended: %v, %d models", err, len(models))
				}
				slices.Reverse(pieces)
				if err := fit.ProcessElement(ctx, k, each(pieces), each(plan), emit); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 {
				merged := models
				for range 2 { // as for all models of shards
					list := merged
					merged = nil
					if err := (&shardMerge{Of: begin.Of}).ProcessElement(ctx, 0, each(list), func(_ int, file []byte) { merged = append(merged, file) }); err != nil {
						t.Fatal(err)
					}
				}
				model := unnumbered(0, merged[0])
				for range begin.Of.Rounds {
					model = rounded(t, begin.Of, shards, model)
				}
				if len(merged) != 1 || !slices.Equal(model, want) {
					t.Error("another model than that of Prism")
				}
				slices.Reverse(models)
			}
		})
	}
}

// added returns an iterator over the merged tiles.
func added(t *testing.T, parts []keyed[tile]) func(*int, *tile) bool {
	t.Helper()
	sums := map[int]tile{}
	for _, p := range parts {
		var err error
		if sums[p.key], err = sums[p.key].merge(p.value); err != nil {
			t.Fatal(err)
		}
	}
	var list []keyed[tile]
	for k, s := range sums {
		list = append(list, keyed[tile]{k, s})
	}
	next := each(list)
	return func(k *int, s *tile) bool {
		var p keyed[tile]
		ok := next(&p)
		*k, *s = p.key, p.value
		return ok
	}
}

// TestRetriedMetricChangesNothing fails the bundles of both passes of an iteration half-way.
func TestRetriedMetricChangesNothing(t *testing.T) {
	ctx := context.Background()
	batches := cut([]rows.Batch{plane(1200, "a")}, 100)
	statistics := []Statistics{describeAll(t, batches)}
	find := func(failing bool) []byte {
		begin := metricBegin{MaxPoints: 60}
		var states, gradients, next [][]byte
		if err := begin.ProcessElement(ctx, nil, each(statistics), keep(&states)); err != nil {
			t.Fatal(err)
		}
		design, err := designOf(states[0])
		if err != nil {
			t.Fatal(err)
		}
		var first ridgeTakeAfter
		sums := bundles(t, failing, batches,
			func(emit func(int, tile)) error { return first.StartBundle(ctx, nil, emit) },
			func(b rows.Batch, emit func(int, tile)) error {
				return first.ProcessElement(ctx, b, each([][]byte{design}), emit)
			},
			func(emit func(int, tile)) error { return first.FinishBundle(ctx, nil, emit) })
		if err := new(metricFit).ProcessElement(ctx, nil, each(states), added(t, sums), keep(&gradients)); err != nil {
			t.Fatal(err)
		}
		var second metricTake
		products := bundles(t, failing, batches,
			func(emit func(int, tile)) error { return second.StartBundle(ctx, nil, emit) },
			func(b rows.Batch, emit func(int, tile)) error {
				return second.ProcessElement(ctx, b, each(gradients), emit)
			},
			func(emit func(int, tile)) error { return second.FinishBundle(ctx, nil, emit) })
		if err := (&metricNext{begin}).ProcessElement(ctx, nil, each(statistics), each(states), added(t, products), keep(&next)); err != nil {
			t.Fatal(err)
		}
		return next[0]
	}
	if !slices.Equal(find(true), find(false)) {
		t.Error("another metric where bundles failed")
	}
}
