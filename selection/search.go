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
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/progress"
)

// Search fits and scores all candidates on the same divisions of the rows x (n×d), which may be
// rkhs.Weighted, with targets or labels y (n×q). It selects one by the scores and fits it to all
// rows. The scores equal a sequential loop over the folds bit for bit, for any number of workers.
//
// A failed candidate is in the table with its error. If all fail, the error wraps their errors. A
// cancelled or stopped search returns the error with its current table and best candidate. If the
// last fit fails, Search returns its error with the result. Invalid data, options or candidates are
// errors without a result.
//
// N candidates at K splits need the time of N·K + 1 fits. With Eta, the fits of R rungs have
// R·Eta^(1−R) times as many training rows. Each of the Workers concurrent fits has a copy of its rows.
func Search(ctx context.Context, x, y mat.Matrix, candidates []Candidate, opts *Options) (*Result, error) {
	if err := checkCandidates(candidates); err != nil {
		return nil, err
	}
	classifiers := candidates[0].Classifier
	o, err := opts.withDefaults(classifiers)
	if err != nil {
		return nil, err
	}
	if err := input.Context(pkg, ctx); err != nil {
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
	m := progress.New(ctx, o.Recorder, pkg)
	defer m.Close()
	s := &comparison{candidates: candidates, options: &o, rows: &r, splits: splits, progress: m}
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

func checkCandidates(list []Candidate) error {
	if len(list) == 0 {
		return fmt.Errorf("selection: no candidates: %w", rkhs.ErrOption)
	}
	for i, c := range list {
		if c.Fit == nil {
			return fmt.Errorf("selection: candidate %d, %v, has no Fit: %w", i, c, rkhs.ErrOption)
		}
		if c.Classifier != list[0].Classifier {
			return fmt.Errorf("selection: of candidates 0, %v, and %d, %v, only one is a classifier: %w", list[0], i, c, rkhs.ErrOption)
		}
	}
	return nil
}

// comparison is a search in progress.
type comparison struct {
	candidates []Candidate
	options    *Options
	rows       *rows
	splits     []split
	progress   *progress.Monitor

	mu          sync.Mutex // of the attempts and the following
	done, total int        // fits
}

// run returns the result without a model.
func (s *comparison) run() (*Result, error) {
	fewest := math.MaxInt
	for _, p := range s.splits {
		fewest = min(fewest, len(p.Train))
	}
	rungs := s.options.rungs(len(s.candidates), fewest)
	for _, g := range rungs {
		s.total += g.candidates * len(s.splits)
	}
	s.report(rkhs.Progress{Phase: "search", Total: s.total, Objective: math.NaN()})
	result := &Result{Score: s.options.Score}
	numbers := compute.Indices(len(s.candidates))
	for i, g := range rungs {
		list := s.runRung(i, g, numbers)
		splits, complete := sharedSplits(list)
		for _, a := range list {
			a.summarize(splits)
		}
		s.options.Score.sort(list)
		result.add(list)
		if complete || i == 0 { // otherwise the rung before is more reliable
			if best := s.best(list); best != nil {
				result.Best = best
			}
		}
		if s.progress.Stopped() {
			return result, s.progress.Err()
		}
		numbers = nil
		for _, a := range list {
			if a.Err == nil && (i+1 == len(rungs) || len(numbers) < rungs[i+1].candidates) {
				numbers = append(numbers, a.Number)
			}
		}
		if numbers == nil {
			return result, allFailed(list)
		}
	}
	return result, nil
}

// runRung runs the numbered candidates: all at the first split, then all at the next, so that they
// are comparable whenever the search stops.
func (s *comparison) runRung(number int, g rung, numbers []int) []*attempt {
	list := make([]*attempt, len(numbers))
	for i, c := range numbers {
		list[i] = newAttempt(s.candidates[c], c, number, len(s.splits))
		for k := range s.splits {
			list[i].Rows = max(list[i].Rows, g.rows(&s.splits[k]))
		}
	}
	compute.Parallel(len(list)*len(s.splits), s.options.Workers, func(job int) {
		s.fit(list[job%len(list)], job/len(list), g)
	})
	return list
}

// fit fits and scores a candidate at one split, unless the search stopped or the candidate failed.
func (s *comparison) fit(a *attempt, at int, g rung) {
	if s.progress.Stopped() {
		return
	}
	s.mu.Lock()
	needed := a.failed >= at
	s.mu.Unlock()
	score, err, start := math.NaN(), error(nil), time.Now()
	if needed {
		p := &s.splits[at]
		score, err = fitAndScore(s.progress.Context(), a.Candidate, s.options.Score, s.rows, p.train(g), p.Test)
	}
	if s.progress.Stopped() { // the fit may be incomplete
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if needed {
		a.record(at, score, err, time.Since(start))
	}
	s.done++
	s.report(rkhs.Progress{Phase: "search", Done: s.done, Total: s.total, Iteration: s.done, Objective: score})
}

func (s *comparison) report(p rkhs.Progress) {
	p.Gap = math.NaN()
	s.progress.Report(p)
}

// best returns the trial that the rule selects from a sorted list, or nil if all failed.
func (s *comparison) best(list []*attempt) *Trial {
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

func allFailed(list []*attempt) error {
	errs := make([]error, len(list))
	for i, a := range list {
		errs[i] = a.Err
	}
	return fmt.Errorf("selection: all %d candidates of rung %d failed: %w", len(list), list[0].Rung, errors.Join(errs...))
}
