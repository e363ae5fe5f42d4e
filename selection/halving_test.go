package selection_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/selection"
)

// work is the total number of training rows of all fits.
func work(r *selection.Result) (rows int) {
	for _, t := range r.Trials {
		rows += t.Rows * len(t.Scores)
	}
	return rows
}

// means returns the mean scores of the last rung by candidate.
func means(r *selection.Result) map[int]float64 {
	list := map[int]float64{}
	for _, t := range r.Trials {
		if t.Rung == r.Trials[0].Rung {
			list[t.Number] = t.Mean
		}
	}
	return list
}

// TestHalvingFindsTheBestOfTheGrid: on three tables halving selects a candidate with a score within
// 1 % of the best of all sixty. It needs at most a third of the rows times fits.
func TestHalvingFindsTheBestOfTheGrid(t *testing.T) {
	testutil.Long(t, "180 fits of 900 rows take some ten seconds")
	for _, name := range []string{"abalone", "kin8nm", "ccpp"} {
		set := table(t, name, 1200)
		o := selection.Options{HeldOut: 0.25, NoRefit: true}
		full := search(t, set.X, set.Targets(), sixty(t, 0), o)
		o.Eta = 3
		halved := search(t, set.X, set.Targets(), sixty(t, 0), o)
		reached, best := means(full)[halved.Best.Number], full.Best.Mean
		if reached != halved.Best.Mean {
			t.Errorf("%s: %v scores %v on the last rung, %v in the grid", name, halved.Best.Candidate, halved.Best.Mean, reached)
		}
		share := float64(work(halved)) / float64(work(full))
		t.Logf("%s: grid %.5g, halving %.5g with %.3f of the work", name, best, reached, share)
		if reached > 1.01*best || 3*work(halved) > work(full) {
			t.Errorf("%s: grid %v, halving %v with %.3f of the work", name, best, reached, share)
		}
	}
}

// BenchmarkHalving compares a grid of sixty candidates with halving in three folds: the fraction
// of the time of the grid, and the increase of the error in per cent. With few rows in the first
// rung, it compares halving of ridges with halving of noises.
func BenchmarkHalving(b *testing.B) {
	for _, c := range []struct {
		name, table string
		rows, first int // 0 means all, and the default
		of          func(b testing.TB, n int) []selection.Candidate
	}{
		{"abalone", "abalone", 0, 0, ridges},
		{"kin8nm", "kin8nm", 1500, 0, ridges},
		{"ccpp", "ccpp", 1500, 0, ridges},
		{"concrete", "concrete", 0, 0, ridges},
		{"concrete/76 rows/ridge", "concrete", 0, 76, ridges},
		{"concrete/76 rows/noise", "concrete", 0, 76, noises},
		{"boston/37 rows/ridge", "boston", 0, 37, ridges},
		{"boston/37 rows/noise", "boston", 0, 37, noises},
	} {
		b.Run(c.name, func(b *testing.B) {
			set := table(b, c.table, c.rows)
			list := c.of(b, len(set.Y))
			o := selection.Options{Folds: 3, NoRefit: true}
			for b.Loop() {
				o.Eta, o.FirstRows = 0, 0
				start := b.Elapsed()
				full := search(b, set.X, set.Targets(), list, o)
				middle := b.Elapsed()
				o.Eta, o.FirstRows = 3, c.first
				halved := search(b, set.X, set.Targets(), list, o)
				b.ReportMetric(float64(b.Elapsed()-middle)/float64(middle-start), "time/grid")
				b.ReportMetric(float64(work(halved))/float64(work(full)), "rows/grid")
				b.ReportMetric(100*(means(full)[halved.Best.Number]/full.Best.Mean-1), "%worse")
			}
		})
	}
}

func ridges(b testing.TB, _ int) []selection.Candidate { return sixty(b, 0) }

// noises lists the sixty candidates for n rows by their noises n·lam.
func noises(b testing.TB, n int) []selection.Candidate {
	type options struct{ sigma, noise float64 }
	list, err := selection.Grid("ridge", func(ctx context.Context, x, y mat.Matrix, o *options) (*ridge.Model, error) {
		rows, _ := x.Dims()
		return ridge.Fit(ctx, x, y, &ridge.Options{Workers: 1, Kernel: kernel.Gaussian{Sigma: o.sigma}, Ridge: o.noise / float64(rows)})
	}, options{},
		selection.Values("Sigma", func(o *options, v float64) { o.sigma = v }, sigmas...),
		selection.Values("Ridge", func(o *options, v float64) { o.noise = v * float64(n) }, lams...))
	if err != nil {
		b.Fatal(err)
	}
	return list
}

// TestRungs: numbers of candidates and rows of each rung.
func TestRungs(t *testing.T) {
	for _, c := range []struct {
		candidates, eta, first int
		want                   string // rung:candidates×rows
	}{
		{60, 0, 0, "0:60×800"},
		{60, 3, 20, "0:60×30 1:20×89 2:6×267 3:2×800"},
		{60, 3, 0, "0:60×267 1:20×800"}, // at least 100 rows
		{60, 3, 801, "0:60×800"},
		{27, 3, 1, "0:27×30 1:9×89 2:3×267 3:1×800"},
		{5, 2, 1, "0:5×200 1:2×400 2:1×800"},
		{1, 2, 1, "0:1×800"},
		{2, 3, 1, "0:2×800"},
	} {
		values := make([]float64, c.candidates)
		for i := range values {
			values[i] = float64(i)
		}
		r := search(t, column(1000), column(1000), levels(values...), selection.Options{Eta: c.eta, FirstRows: c.first, NoRefit: true})
		count := map[string]int{}
		for _, trial := range r.Trials {
			count[fmt.Sprintf("%d:%%d×%d", trial.Rung, trial.Rows)]++
		}
		got := ""
		for i, key := range slices.Sorted(maps.Keys(count)) {
			if i > 0 {
				got += " "
			}
			got += fmt.Sprintf(key, count[key])
		}
		if got != c.want {
			t.Errorf("%d candidates by %d from %d rows: %s, want %s", c.candidates, c.eta, c.first, got, c.want)
		}
	}
}

// TestTheBestGoOn: the candidates with the best means advance to the next rung, for scores to
// maximise and to minimise.
func TestTheBestGoOn(t *testing.T) {
	for _, score := range []selection.Score{selection.RMSE(), selection.R2()} {
		x, y, _ := waves(300)
		list := grid(t, []float64{.3, 1, 3}, []float64{1, 1e-2, 1e-4})
		r := search(t, x, y, list, selection.Options{Score: score, Eta: 3, FirstRows: 20, Folds: 3, NoRefit: true})
		byRung := map[int][]int{}
		for _, trial := range r.Trials { // best first in each rung
			byRung[trial.Rung] = append(byRung[trial.Rung], trial.Number)
		}
		if len(byRung) != 3 {
			t.Fatalf("%d rungs", len(byRung))
		}
		for rung := range 2 {
			next := slices.Sorted(slices.Values(byRung[rung+1]))
			before := slices.Sorted(slices.Values(byRung[rung][:len(next)]))
			if !slices.Equal(next, before) {
				t.Errorf("%s: of rung %d the best are %v, %v go on", score.Name, rung, before, next)
			}
		}
	}
}

// recorder is a candidate that records the first column of the training rows of each fit.
type recorder struct {
	mu   sync.Mutex
	fits [][]float64
}

func (r *recorder) candidate(m rkhs.Model, classifier bool) selection.Candidate {
	c := stub("recorder", func(_ context.Context, x, y mat.Matrix) (rkhs.Model, error) {
		n, _ := x.Dims()
		r.mu.Lock()
		defer r.mu.Unlock()
		r.fits = append(r.fits, mat.Col(make([]float64, n), 0, x))
		return m, nil
	})
	c.Classifier = classifier
	return c
}

// TestRungsAreNested: each rung contains the rows of the rung before, and the last rung has the
// rows of the fold in order.
func TestRungsAreNested(t *testing.T) {
	var seen recorder
	list := append([]selection.Candidate{seen.candidate(level(0), false)}, levels(1, 2, 3)...)
	y := mat.NewDense(64, 1, nil) // the first candidate is the best
	search(t, column(64), y, list, selection.Options{Folds: 2, Eta: 2, FirstRows: 8, Workers: 1, NoRefit: true, Seed: 4})
	folds, err := dataset.Random(64, 4).Folds(2)
	if err != nil {
		t.Fatal(err)
	}
	if len(seen.fits) != 6 {
		t.Fatalf("%d fits", len(seen.fits))
	}
	for i, f := range folds {
		small, middle, all := seen.fits[i], seen.fits[2+i], seen.fits[4+i]
		if len(small) != 8 || len(middle) != 16 || len(all) != 32 {
			t.Fatalf("%d, %d and %d rows", len(small), len(middle), len(all))
		}
		if !subset(small, middle) || !subset(middle, all) {
			t.Errorf("%v not in %v not in %v", small, middle, all)
		}
		for j, row := range f.Train {
			if all[j] != float64(row) {
				t.Fatalf("row %d of fold %d is %v, want %d", j, i, all[j], row)
			}
		}
	}
}

func subset(a, b []float64) bool {
	for _, v := range a {
		if !slices.Contains(b, v) {
			return false
		}
	}
	return true
}

// TestRungsHaveAllLabels: a label has 12 of 600 rows. Each fold has its proportion, and the smallest
// rung has its proportion up to one row.
func TestRungsHaveAllLabels(t *testing.T) {
	x, labels := column(600), mat.NewDense(600, 1, nil)
	for i := range 12 {
		labels.Set(50*i, 0, 1)
	}
	rare := func(rows []float64) (count int) {
		for _, row := range rows {
			if int(row)%50 == 0 {
				count++
			}
		}
		return count
	}
	var seen recorder
	list := []selection.Candidate{seen.candidate(level(0), true)}
	for range 8 {
		c := levels(1)[0]
		c.Classifier = true
		list = append(list, c)
	}
	search(t, x, labels, list, selection.Options{Folds: 6, Eta: 3, FirstRows: 20, Workers: 1, NoRefit: true})
	if len(seen.fits) != 18 {
		t.Fatalf("%d fits", len(seen.fits))
	}
	for i, rows := range seen.fits {
		least, most := len(rows)/50, len(rows)/50+2
		if i >= 12 {
			least, most = 10, 10
		}
		if n := rare(rows); n < max(1, least) || n > most {
			t.Errorf("fit %d: %d of %d rows are of the rare label", i, n, len(rows))
		}
	}
}
