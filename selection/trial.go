package selection

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/rkhs-go/rkhs"
)

// Trial holds the scores of a candidate on one rung of a search.
type Trial struct {
	Candidate Candidate
	// Number is the index of the candidate in the list.
	Number int
	// Rung counts from 0. Without Options.Eta it is 0.
	Rung int
	// Rows is the largest number of training rows of a fit.
	Rows int
	// Scores holds the scores of the splits, in the order of the folds and then of the repeats. It
	// is NaN if the fit failed or the search stopped.
	Scores []float64
	// Mean is the mean of Scores, NaN for a failed trial. In a stopped search it is the mean over
	// the splits scored for all trials of the rung.
	Mean float64
	// StandardError is the sample standard deviation of these scores divided by the root of their
	// number; NaN for a single score. It ignores that splits share rows.
	StandardError float64
	// NotConverged counts the fits with rkhs.ErrNotConverged, which are scored.
	NotConverged int
	// Elapsed is the total time of fits and scores.
	Elapsed time.Duration
	// Err is the error of the first failed split, or nil.
	Err error
}

// attempt is a trial in progress, with concurrent fits at several splits. The search locks it.
type attempt struct {
	Trial
	unconverged []bool
	failed      int // the first failed split, or the number of splits
}

func newAttempt(c Candidate, number, rung, splits int) *attempt {
	scores := slices.Repeat([]float64{math.NaN()}, splits)
	return &attempt{Trial: Trial{Candidate: c, Number: number, Rung: rung, Scores: scores}, failed: splits, unconverged: make([]bool, splits)}
}

// record stores the score or the error of a split.
func (a *attempt) record(split int, score float64, err error, elapsed time.Duration) {
	a.Elapsed += elapsed
	if errors.Is(err, rkhs.ErrNotConverged) && score == score {
		a.unconverged[split], err = true, nil
	}
	if err == nil {
		a.Scores[split] = score
	} else if split < a.failed {
		a.failed, a.Err = split, fmt.Errorf("%v: split %d: %w", a.Candidate, split, err)
	}
}

// fitAndScore returns the score of a candidate. Only with a score may the error wrap
// rkhs.ErrNotConverged; otherwise the score is NaN.
func fitAndScore(ctx context.Context, c Candidate, score Score, r *rows, train, test []int) (float64, error) {
	x, y := r.train(train)
	m, fitErr := c.fit(ctx, x, y)
	if m == nil || fitErr != nil && !errors.Is(fitErr, rkhs.ErrNotConverged) {
		return math.NaN(), fitErr
	}
	x, y = r.test(test)
	v, err := score.Of(m, x, y)
	if err == nil && (v != v || math.IsInf(v, 0) && score.better(v, 0)) { // the mean of opposite infinities is NaN
		err = fmt.Errorf("%s is %v: %w", score.Name, v, rkhs.ErrNotFinite)
	}
	if err != nil {
		return math.NaN(), err
	}
	return v, fitErr
}

// summarize computes the statistics of the scores at the listed splits.
func (a *attempt) summarize(splits []int) {
	for i := range a.Scores {
		if i >= a.failed { // concurrent fits may have scored it or not
			a.Scores[i], a.unconverged[i] = math.NaN(), false
		}
		if a.unconverged[i] {
			a.NotConverged++
		}
	}
	a.Mean, a.StandardError = math.NaN(), math.NaN()
	if a.Err != nil {
		return
	}
	sum, n := 0.0, float64(len(splits))
	for _, i := range splits {
		sum += a.Scores[i]
	}
	a.Mean = sum / n
	squares := 0.0
	for _, i := range splits {
		d := a.Scores[i] - a.Mean
		squares += float64(d * d)
	}
	a.StandardError = math.Sqrt(squares / (n - 1) / n)
}

// sharedSplits returns the splits that all successful trials have scores for, or the first split.
func sharedSplits(list []*attempt) (splits []int, found bool) {
	for i := range list[0].Scores {
		if !slices.ContainsFunc(list, func(a *attempt) bool { return a.Err == nil && math.IsNaN(a.Scores[i]) }) {
			splits = append(splits, i)
		}
	}
	if len(splits) == 0 {
		return []int{0}, false
	}
	return splits, true
}

// sort sorts attempts by mean score, the best first.
func (s Score) sort(list []*attempt) {
	slices.SortFunc(list, func(a, b *attempt) int {
		switch {
		case s.better(a.Mean, b.Mean):
			return -1
		case s.better(b.Mean, a.Mean):
			return 1
		}
		return cmp.Compare(a.Number, b.Number)
	})
}
