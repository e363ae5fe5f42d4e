package learn

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

// byRounds returns the solution of doublysgd by shards, for all rows.
func byRounds(t *testing.T, batches []rows.Batch, classes bool, o DoublySGDOptions) *risk {
	t.Helper()
	of := DoublySGD
	if classes {
		of = DoublySGDClassifier
	}
	method, err := of(o)
	file, err := learnedBy(t, batches, method, err)
	if err != nil {
		t.Fatal(err)
	}
	at, _, err := method.begin.(*shardBegin).Of.iterate(roundState{Model: file})
	if err != nil {
		t.Fatal(err)
	}
	all := join(batches)
	r, err := newRisk(at, &all)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRoundOfOneShard checks a Newton step on all rows. For the squared loss it must reach the
// minimum from any point, where a single fit needs many passes.
func TestRoundOfOneShard(t *testing.T) {
	b := weighed(600, 2, 0)
	o := doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 0.7}, Ridge: 1e-4, Features: 128, Loss: loss.Squared{}, Paper: doublysgd.Paper{Columns: 32, Passes: 1, Precision: doublysgd.Double}}
	r := byRounds(t, []rows.Batch{b}, false, DoublySGDOptions{Options: o, Shards: 1})
	mean := byRounds(t, []rows.Batch{b}, false, DoublySGDOptions{Options: o, Shards: 1, NoRounds: true})
	o.Passes, o.Tolerance = 0, 1e-10
	one, err := doublysgd.Fit(context.Background(), b.X(), b.Y(), &o)
	if err != nil {
		t.Fatal(err)
	}
	want := predictions(t, one, []rows.Batch{b})
	if d := apart(predictions(t, r.at.model, []rows.Batch{b}), want); !(d < 1e-7) {
		t.Errorf("predictions differ by %v", d)
	}
	if d := apart(predictions(t, mean.at.model, []rows.Batch{b}), want); !(d > 1e-4) {
		t.Errorf("a fit of one pass is right to %v: the round had nothing to do", d)
	}
}

// TestRoundsOfShards compares the mean of four shards, and the results of one and two rounds,
// with the minimum over all rows. The first round must reduce the excess of the objective to a
// hundredth, and the second to a tenth of this. For the softmax, with a block diagonal
// Hessian, each round must reduce it to a fifth. For classes the reference is a single fit to
// all rows. For regression a single fit has different units, so the reference is the limit of
// the rounds, where the gradient is zero.
func TestRoundsOfShards(t *testing.T) {
	for name, c := range smooth {
		t.Run(name, func(t *testing.T) {
			b, classes := weighed(2400, c.outputs, c.classes), c.classes > 0
			o := doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 0.7}, Ridge: 1e-3, Features: 64, Loss: c.loss, Tolerance: 1e-8, NoCalibration: true, Paper: doublysgd.Paper{Columns: 32, Precision: doublysgd.Double}}
			after := func(rounds int) *risk {
				return byRounds(t, []rows.Batch{b}, classes, DoublySGDOptions{Options: o, Shards: 4, Rounds: rounds, NoRounds: rounds == 0})
			}
			var end *risk
			if classes {
				var err error
				if end, err = newRisk(fitted(t, &b, true, o), &b); err != nil {
					t.Fatal(err)
				}
			} else {
				end = after(6)
			}
			least, slope := end.objective(), floats.Norm(end.slope(), 2)
			clear(end.at.theta.Data)
			if origin := floats.Norm(end.slope(), 2); !(slope < 1e-6*origin) {
				t.Fatalf("the gradient is %.2g at the minimum and %.2g at the origin", slope, origin)
			}
			zero, one, two := after(0).objective()-least, after(1).objective()-least, after(2).objective()-least
			t.Logf("F exceeds its minimum by %.2g, %.2g and %.2g after no, one and two rounds", zero, one, two)
			first, second := 100., 10.
			if _, multi := c.loss.(loss.Multiclass); multi {
				first, second = 5, 5
			}
			if !(zero > 0 && one < zero/first && two < one/second) {
				t.Errorf("F exceeds its minimum by %.3g, %.3g and %.3g after no, one and two rounds", zero, one, two)
			}
		})
	}
}

// TestRoundNeverWorse runs rounds with fewer rows per shard than features, where the Hessians
// differ from the Hessian of all rows, and with fewer rows than shards.
func TestRoundNeverWorse(t *testing.T) {
	for _, c := range []struct{ rows, shards int }{{240, 12}, {20, 30}} {
		b := table(1, c.rows)
		o := doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 0.3}, Ridge: 1e-7, Features: 128, Loss: loss.Huber{Delta: .2}, Paper: doublysgd.Paper{Columns: 64}}
		last := math.Inf(1)
		for rounds := range 4 {
			r := byRounds(t, b, false, DoublySGDOptions{Options: o, Shards: c.shards, Rounds: rounds, NoRounds: rounds == 0})
			now := r.objective()
			if !(now <= last*(1+1e-12)) {
				t.Errorf("%d rows in %d shards: F rises from %v to %v in round %d", c.rows, c.shards, last, now, rounds)
			}
			last = now
		}
	}
}

// best returns the length with the lowest objective, and 0 if no length improves it or is finite.
func TestBest(t *testing.T) {
	at := &iterate{ridge: 2, theta: compute.NewMatrix(2, 1)}
	at.theta.Data[0] = 1
	step := compute.NewMatrix(2, 1)
	step.Data[0] = -1
	for _, c := range []struct {
		losses []float64 // added to penalties of 1, 0, 1/4, …
		want   float64
	}{
		{[]float64{1, 1, 1, 1, 1, 1}, 1},
		{[]float64{1, 3, 1, 2, 2, 2}, .5},
		{[]float64{0, 1, 1, 1, 1, 1}, 0},
		{[]float64{1, math.NaN(), math.Inf(1), 9, 9, 9}, 0},
	} {
		if got := best(at, step, c.losses); got != c.want {
			t.Errorf("losses %v: length %v, want %v", c.losses, got, c.want)
		}
	}
}

// Losses with kinks and wide models have no rounds by default, and an explicit number is an error.
func TestNoRounds(t *testing.T) {
	for _, c := range []struct {
		of   DoublySGDOptions
		want int
	}{
		{DoublySGDOptions{}, 1},
		{DoublySGDOptions{Rounds: 3}, 3},
		{DoublySGDOptions{NoRounds: true}, 0},
		{DoublySGDOptions{Options: doublysgd.Options{Loss: loss.Absolute{}}}, 0},
		{DoublySGDOptions{Options: doublysgd.Options{Loss: loss.Pinball{Tau: .3}}}, 0},
		{DoublySGDOptions{Options: doublysgd.Options{Features: 8192}}, 1},
		{DoublySGDOptions{Options: doublysgd.Options{Features: 8194}}, 0},
	} {
		m, err := DoublySGD(c.of)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.begin.(*shardBegin).Of.Rounds; got != c.want {
			t.Errorf("%+v: %d rounds, want %d", c.of, got, c.want)
		}
	}
}

// The bits after rounds do not depend on batches or order, also for sparse rows and weights.
func TestRoundsOfOtherBatches(t *testing.T) {
	b := weighed(500, 1, 3)
	for i := range 501 {
		b.Offsets = append(b.Offsets, 2*i)
	}
	for range 500 {
		b.Columns = append(b.Columns, 0, 1)
	}
	method, err := DoublySGDClassifier(DoublySGDOptions{Shards: 3, Rounds: 2, Options: doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 0.7}, Ridge: 1e-4, Features: 64, Loss: loss.Softmax{}}})
	if err != nil {
		t.Fatal(err)
	}
	var files [][]byte
	for _, size := range []int{500, 70, 1} {
		file, err := learnedBy(t, cut([]rows.Batch{b}, size), method, nil)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if !slices.Equal(files[0], files[1]) || !slices.Equal(files[0], files[2]) {
		t.Error("other batches make another model")
	}
}

// TestShardsWithoutWeight expects shards without positive weights to count as empty. If all
// weights are zero the pipeline must fail, also if all options are given.
func TestShardsWithoutWeight(t *testing.T) {
	b := weighed(120, 1, 0)
	for i := range b.Weights {
		b.Weights[i] = 0
		if i%30 == 0 {
			b.Weights[i] = 1
		}
	}
	k := kernel.Gaussian{Sigma: 0.7}
	methods := func() map[string]*Method {
		sgd, err := DoublySGD(DoublySGDOptions{Options: doublysgd.Options{Kernel: k, Ridge: 1e-2, Features: 32, Paper: doublysgd.Paper{Columns: 32}}, Shards: 8})
		if err != nil {
			t.Fatal(err)
		}
		points, err := Polk(PolkOptions{Options: polk.Options{Kernel: k, Ridge: 1e-2}, Shards: 8})
		if err != nil {
			t.Fatal(err)
		}
		return map[string]*Method{"doublysgd": sgd, "polk": points}
	}
	for name, m := range methods() {
		if _, err := learnedBy(t, []rows.Batch{b}, m, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	clear(b.Weights)
	for name, m := range methods() {
		if _, err := learnedBy(t, []rows.Batch{b}, m, nil); err == nil || !strings.Contains(err.Error(), "no training rows") {
			t.Errorf("%s: %v without weights", name, err)
		}
	}
}
