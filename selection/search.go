package selection

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
)

// Search fits and scores all candidates on the same divisions of rows x (n×d), which may be
// rkhs.Weighted, and their targets or labels y (n×q), chooses one by the scores, and fits that
// to all rows. Nil options mean the defaults. Scores are those of the fits that a loop over the
// folds would make, to the bit, whatever the number of workers.
//
// A candidate that fails is in the table with its error, and the others go on; if none is left,
// the error wraps all of theirs. A search that is cancelled or stopped by the Recorder returns
// the table so far with the error, and in Best the best so far, of which Best.Candidate.Fit
// makes a model. The errors of the last fit come with the result. Before any fit the error is
// that of data, or of options at fault, of Splitter, or rkhs.ErrOption where there is no
// candidate, one has no Fit, or only some are classifiers, and there is no result.
//
// It takes the time of N·K + 1 fits for N candidates at K splits. With Eta the fits of R rungs
// learn from R·Eta^(1−R) of as many rows, a third with three rungs of Eta = 3, and take less yet
// where time grows faster than rows. It takes the memory of Workers fits, each with a copy of its
// rows.
func Search(ctx context.Context, x, y mat.Matrix, candidates []Candidate, opts *Options) (*Result, error) {
	classifiers, err := checkCandidates(candidates)
	if err != nil {
		return nil, err
	}
	o, err := opts.checked(classifiers)
	if err != nil {
		return nil, err
	}
	if err := door.Context(pkg, ctx); err != nil {
		return nil, err
	}
	r, err := newRows(x, y, classifiers)
	if err != nil {
		return nil, err
	}
	splits, err := o.splits(&r)
	if err != nil {
		return nil, err
	}
	m := monitor.New(ctx, o.Recorder, pkg)
	defer m.Close()
	s := &search{candidates: candidates, options: &o, rows: &r, splits: splits, monitor: m}
	result, err := s.run()
	if err != nil || o.NoRefit {
		return result, err
	}
	s.report(rkhs.Progress{Phase: "fit", Total: 1, Objective: result.Best.Mean})
	if result.Model, err = result.Best.Candidate.fit(m.Context(), x, y); err == nil {
		return result, nil
	}
	if m.Stopped() {
		return result, m.Err()
	}
	return result, fmt.Errorf("selection: %v, all rows: %w", result.Best.Candidate, err)
}

// checkCandidates tells whether candidates are classifiers.
func checkCandidates(list []Candidate) (classifiers bool, err error) {
	if len(list) == 0 {
		return false, fmt.Errorf("selection: no candidates: %w", rkhs.ErrOption)
	}
	for i, c := range list {
		if c.Fit == nil {
			return false, fmt.Errorf("selection: candidate %d, %v, has no Fit: %w", i, c, rkhs.ErrOption)
		}
		if c.Classifier != list[0].Classifier {
			return false, fmt.Errorf("selection: of candidates 0, %v, and %d, %v, only one is a classifier: %w", list[0], i, c, rkhs.ErrOption)
		}
	}
	return list[0].Classifier, nil
}

// search is one under way.
type search struct {
	candidates []Candidate
	options    *Options
	rows       *rows
	splits     []split
	monitor    *monitor.Monitor

	mu          sync.Mutex
	done, total int // fits
}

// run returns the result without a model.
func (s *search) run() (*Result, error) {
	rungs := s.options.rungs(len(s.candidates), s.fewestRows())
	for _, g := range rungs {
		s.total += g.candidates * len(s.splits)
	}
	s.report(rkhs.Progress{Phase: "search", Total: s.total, Objective: math.NaN()})
	result := &Result{Score: s.options.Score}
	going := compute.Indices(len(s.candidates))
	for number, g := range rungs {
		list := s.climb(number, g, going)
		splits, all := shared(list)
		for _, a := range list {
			a.rate(splits)
		}
		s.options.Score.ranked(list)
		result.add(list)
		if all || number == 0 { // else the rung before it tells more
			if best := s.choose(list); best != nil {
				result.Best = best
			}
		}
		if s.monitor.Stopped() {
			return result, s.monitor.Err()
		}
		if going = survivors(list); len(going) == 0 {
			return result, failure(list)
		}
		if number+1 < len(rungs) {
			going = going[:min(len(going), rungs[number+1].candidates)]
		}
	}
	return result, nil
}

// fewestRows returns the least number of rows to learn from of a split.
func (s *search) fewestRows() int {
	fewest := math.MaxInt
	for _, p := range s.splits {
		fewest = min(fewest, len(p.Train))
	}
	return fewest
}

// climb tries the numbered candidates on a rung: all at the first split, then all at the next, so
// that they can be compared whenever the search is stopped.
func (s *search) climb(number int, g rung, going []int) []*attempt {
	list := make([]*attempt, len(going))
	for i, c := range going {
		list[i] = newAttempt(s.candidates[c], c, number, len(s.splits))
		for _, p := range s.splits {
			list[i].Rows = max(list[i].Rows, g.of(len(p.Train)))
		}
	}
	compute.Parallel(len(list)*len(s.splits), s.options.Workers, func(job int) {
		s.fit(list[job%len(list)], job/len(list), g)
	})
	return list
}

// fit fits and scores a candidate at one split, if there is use for it.
func (s *search) fit(a *attempt, at int, g rung) {
	if s.monitor.Stopped() {
		return
	}
	score, err := math.NaN(), error(nil)
	if !a.over(at) {
		start, p := time.Now(), &s.splits[at]
		score, err = try(s.monitor.Context(), a.Candidate, s.options.Score, s.rows, p.train(g.of(len(p.Train))), p.Test)
		if s.monitor.Stopped() { // it may not be what it would have been
			return
		}
		a.scored(at, score, err, time.Since(start))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done++
	s.report(rkhs.Progress{Phase: "search", Done: s.done, Total: s.total, Iteration: s.done, Objective: score})
}

func (s *search) report(p rkhs.Progress) {
	p.Gap = math.NaN()
	s.monitor.Report(p)
}

// choose returns the trial that the rule takes of a ranked list, or nil if none has a score.
func (s *search) choose(list []*attempt) *Trial {
	best := list[0]
	if math.IsNaN(best.Mean) {
		return nil
	}
	if s.options.Rule == OneStandardError && !math.IsNaN(best.StandardError) {
		limit := best.Mean + best.StandardError
		if s.options.Score.Larger {
			limit = best.Mean - best.StandardError
		}
		for _, a := range list {
			if !math.IsNaN(a.Mean) && !s.options.Score.better(limit, a.Mean) && a.Number < best.Number {
				best = a
			}
		}
	}
	return &best.Trial
}

// survivors returns the numbers of those that have not failed.
func survivors(list []*attempt) (numbers []int) {
	for _, a := range list {
		if a.Err == nil {
			numbers = append(numbers, a.Number)
		}
	}
	return numbers
}

// failure is the error where all have failed.
func failure(list []*attempt) error {
	errs := make([]error, len(list))
	for i, a := range list {
		errs[i] = a.Err
	}
	return fmt.Errorf("selection: all %d candidates of rung %d failed: %w", len(list), list[0].Rung, errors.Join(errs...))
}
