package selection

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/rkhs-go/rkhs"
)

// Trial is a candidate on one rung of a search, and its scores.
type Trial struct {
	Candidate Candidate
	// Number is the place of the candidate in the list, from 0 on.
	Number int
	// Rung counts from 0; without Options.Eta there is no other.
	Rung int
	// Rows is the number of rows that a fit learned from, of several splits the largest.
	Rows int
	// Scores are those of the splits, in the order of the folds and then of the repeats. NaN
	// stands for what was not scored, since the search was stopped or a fit failed.
	Scores []float64
	// Mean is that of Scores, or where the search was stopped of those at splits that all
	// trials of the rung were scored at; NaN for what failed. Splits count alike.
	Mean float64
	// StandardError is the deviation of these scores, with their number less one, over the
	// root of their number: NaN of a single one. Splits share rows, for which it does not account.
	StandardError float64
	// NotConverged counts the fits that ended before they reached their tolerance
	// (rkhs.ErrNotConverged). Their scores count.
	NotConverged int
	// Elapsed is the time of all its fits and scores.
	Elapsed time.Duration
	// Err is the error of the first split at which a fit or a score failed, or nil.
	Err error
}

// attempt is a trial while its fits are under way, which may be at several splits at once.
type attempt struct {
	Trial
	mu          sync.Mutex
	unconverged []bool
	failed      int // the first split that failed, or their number
	elapsed     []time.Duration
}

func newAttempt(c Candidate, number, rung, splits int) *attempt {
	a := &attempt{Trial: Trial{Candidate: c, Number: number, Rung: rung, Scores: make([]float64, splits)}, failed: splits,
		unconverged: make([]bool, splits), elapsed: make([]time.Duration, splits)}
	for i := range a.Scores {
		a.Scores[i] = math.NaN()
	}
	return a
}

// over tells whether a split before that one has failed, which leaves no use for it.
func (a *attempt) over(split int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.failed < split
}

// scored takes the score of a split, or why there is none, unless the search was stopped
// meanwhile.
func (a *attempt) scored(split int, score float64, err error, elapsed time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.elapsed[split] = elapsed
	if errors.Is(err, rkhs.ErrNotConverged) && score == score {
		a.unconverged[split], err = true, nil
	}
	if err == nil {
		a.Scores[split] = score
	} else if split < a.failed {
		a.failed, a.Err = split, fmt.Errorf("%v: split %d: %w", a.Candidate, split, err)
	}
}

// try fits the candidate and scores it. An error that wraps rkhs.ErrNotConverged may come with a
// score, else it is NaN.
func try(ctx context.Context, c Candidate, score Score, r *rows, train, test []int) (float64, error) {
	x, y := r.train(train)
	m, fitErr := c.fit(ctx, x, y)
	if m == nil || fitErr != nil && !errors.Is(fitErr, rkhs.ErrNotConverged) {
		return math.NaN(), fitErr
	}
	x, y = r.test(test)
	v, err := score.Of(m, x, y)
	if err == nil && (v != v || math.IsInf(v, 0) && score.better(v, 0)) { // the mean of both infinities is none
		err = fmt.Errorf("%s is %v: %w", score.Name, v, rkhs.ErrNotFinite)
	}
	if err != nil {
		return math.NaN(), err
	}
	return v, fitErr
}

// rate sets what follows from the scores at the listed splits.
func (a *attempt) rate(splits []int) {
	for _, d := range a.elapsed {
		a.Elapsed += d
	}
	for i := range a.Scores {
		if i >= a.failed { // whether these were scored is a matter of time
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

// shared returns the splits at which all that have not failed were scored; the first if there is
// none.
func shared(list []*attempt) (splits []int, found bool) {
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

// ranked sorts attempts, those of the best mean first, and those without last.
func (s Score) ranked(list []*attempt) {
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
