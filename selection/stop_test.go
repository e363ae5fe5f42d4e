package selection_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"go.uber.org/goleak"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/selection"
)

// stopAfter stops a search after the given number of fits.
func stopAfter(fits int, err error) rkhs.Recorder {
	return rkhs.RecorderFunc(func(p rkhs.Progress) error {
		if p.Done >= fits {
			return err
		}
		return nil
	})
}

var errStop = errors.New("enough")

// TestStopped: the finished fits of a stopped search have the scores of the complete search. The
// selected candidate is the best one on the splits with scores of all candidates.
func TestStopped(t *testing.T) {
	// Candidate 0 is the best at the first split, and candidate 2 at the first two splits.
	scores := [][]float64{{1, 9, 9, 9}, {2, 9, 9, 9}, {3, 1, 1, 1}}
	for _, c := range []struct{ fits, best, scored int }{
		{1, 0, 1}, // the only candidate with a score
		{2, 0, 2},
		{3, 0, 3},
		{4, 0, 4}, // the second split of 0 does not count
		{6, 2, 6},
		{7, 2, 7},
	} {
		list, score := prepared(false, scores...)
		o := selection.Options{Folds: 4, Score: score, Workers: 1, Recorder: stopAfter(c.fits, errStop)}
		r, err := selection.Search(context.Background(), column(8), column(8), list, &o)
		if !errors.Is(err, errStop) || r == nil || r.Best == nil || r.Model != nil {
			t.Fatalf("after %d fits: %v, %v", c.fits, r, err)
		}
		scored := 0
		for _, trial := range r.Trials {
			for i, v := range trial.Scores {
				if !math.IsNaN(v) {
					scored++
					if v != scores[trial.Number][i] {
						t.Errorf("score %v of %d at split %d", v, trial.Number, i)
					}
				}
			}
		}
		if r.Best.Number != c.best || scored != c.scored {
			t.Errorf("after %d fits the best is %d, want %d; %d scores", c.fits, r.Best.Number, c.best, scored)
		}
	}
}

// TestStoppedOnARung: a rung without a complete split does not replace the previous rung.
func TestStoppedOnARung(t *testing.T) {
	// Rung 0 has fits 1 … 8 of four candidates at two splits. Rung 1 has fits 9 … 12 of candidates 0
	// and 1.
	scores := [][]float64{{2, 2, 5, 5}, {1, 1, 9, 9}, {3, 3}, {4, 4}}
	for _, c := range []struct{ fits, best, rung, trials int }{{8, 1, 0, 4}, {9, 1, 0, 6}, {10, 0, 1, 6}, {11, 0, 1, 6}} {
		list, score := prepared(false, scores...)
		o := selection.Options{Folds: 2, Score: score, Workers: 1, Eta: 2, FirstRows: 10, Recorder: stopAfter(c.fits, errStop)}
		r, err := selection.Search(context.Background(), column(40), column(40), list, &o)
		if !errors.Is(err, errStop) || r.Best == nil || r.Best.Number != c.best || r.Best.Rung != c.rung || len(r.Trials) != c.trials {
			t.Errorf("after %d fits: best %+v, %v\n%v", c.fits, r.Best, err, r)
		}
	}
}

// TestCancelled: running fits are cancelled, and all goroutines end within a second.
func TestCancelled(t *testing.T) {
	defer goleak.VerifyNone(t)
	ctx, cancel := context.WithCancelCause(context.Background())
	started := make(chan bool, 8)
	waits := stub("waits", func(ctx context.Context, _, _ mat.Matrix) (rkhs.Model, error) {
		started <- true
		<-ctx.Done()
		return level(5), ctx.Err() // the best so far
	})
	scored := make(chan bool, 10) // capacity for all fits, so reports do not block
	go func() {
		<-started
		<-scored
		cancel(errStop)
	}()
	start := time.Now()
	r, err := selection.Search(ctx, column(10), column(10), append(levels(3), waits), &selection.Options{
		Workers: 4,
		Recorder: rkhs.RecorderFunc(func(p rkhs.Progress) error {
			// Fits start in order of the splits, and each split occupies a worker. While the first
			// split has no score, the other three workers finish two fits at most.
			if p.Done >= 3 {
				scored <- true
			}
			return nil
		}),
	})
	if !errors.Is(err, context.Canceled) || !errors.Is(err, errStop) || time.Since(start) > time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
	if r == nil || r.Best == nil || r.Best.Number != 0 || len(r.Trials) != 2 || r.Trials[1].Err != nil || !math.IsNaN(r.Trials[1].Mean) {
		t.Errorf("%v", r)
	}

	r, err = selection.Search(ctx, column(10), column(10), levels(3), nil) // cancelled before
	if !errors.Is(err, context.Canceled) || r == nil || r.Best != nil || len(r.Trials) != 1 {
		t.Errorf("%v, %v", r, err)
	}
}

// TestCancelledRefit: the search returns the partial model of the last fit with the error.
func TestCancelledRefit(t *testing.T) {
	x, y, _ := waves(100)
	list := grid(t, []float64{1}, []float64{1e-3})
	var phases []string
	o := selection.Options{Recorder: rkhs.RecorderFunc(func(p rkhs.Progress) error {
		if len(phases) == 0 || phases[len(phases)-1] != p.Phase {
			phases = append(phases, p.Phase)
		}
		if p.Phase == "fit" {
			return errStop
		}
		return nil
	})}
	r, err := selection.Search(context.Background(), x, y, list, &o)
	if _, ok := r.Model.(*ridge.Model); !errors.Is(err, errStop) || !ok {
		t.Errorf("%T, %v", r.Model, err)
	}
	if len(phases) != 2 || phases[0] != "search" {
		t.Errorf("phases %v", phases)
	}
}

// TestProgress: reports count each fit once. The first report precedes all fits, and the last one
// counts all.
func TestProgress(t *testing.T) {
	var done []int
	o := selection.Options{Workers: 3, Folds: 4, NoRefit: true, Recorder: rkhs.RecorderFunc(func(p rkhs.Progress) error {
		if p.Total != 12 {
			t.Errorf("total %d", p.Total)
		}
		done = append(done, p.Done)
		return nil
	})}
	search(t, column(20), column(20), levels(1, 2, 3), o)
	for i, d := range done {
		if d != i {
			t.Fatalf("reported %v", done)
		}
	}
	if len(done) != 13 {
		t.Errorf("reported %v", done)
	}
}

// Infinite scores of both signs have no mean.
func TestNoMean(t *testing.T) {
	x, y := mat.NewDense(20, 1, nil), mat.NewDense(20, 1, nil)
	sign := 1
	_, err := selection.Search(context.Background(), x, y, []selection.Candidate{{Name: "any", Fit: func(context.Context, mat.Matrix, mat.Matrix) (rkhs.Model, error) {
		return new(ridge.Model), nil
	}}}, &selection.Options{Workers: 1, Score: selection.Score{Name: "infinite", Of: func(rkhs.Model, mat.Matrix, mat.Matrix) (float64, error) {
		sign = -sign
		return math.Inf(sign), nil
	}}})
	if !errors.Is(err, rkhs.ErrNotFinite) {
		t.Error(err)
	}
}
