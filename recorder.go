package rkhs

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// Progress describes the state of a fit.
type Progress struct {
	// Phase names the current activity: "search" for the selection of unset options,
	// "fit", or a word specific to the learner. It is empty for a fit with one phase.
	Phase string
	// Done is the completed amount of work in the phase. Total is the full amount, or 0 if
	// it is unknown.
	Done, Total int
	// Iteration counts iterations in units of the learner.
	Iteration int
	// Objective is the current value of the objective to minimize.
	Objective float64
	// ModelOrder is the number of terms in the model: landmarks with nonzero weight, blocks
	// of features, kernels, or dictionary points.
	ModelOrder int
	// Gap is an upper bound on the distance of Objective from its minimum, or NaN if the
	// learner has no bound.
	Gap float64
	// Elapsed is the time since the start of the fit.
	Elapsed time.Duration
}

// Recorder receives the progress of a fit. A learner does not call Record concurrently. If
// Record returns an error, the fit stops and returns its best model so far with an error that
// wraps it.
type Recorder interface {
	Record(Progress) error
}

// RecorderFunc adapts a function to a Recorder.
type RecorderFunc func(Progress) error

// Record calls f. If f is nil, it returns an error that wraps ErrOption.
func (f RecorderFunc) Record(p Progress) error {
	if f == nil {
		return fmt.Errorf("rkhs: the RecorderFunc is nil: %w", ErrOption)
	}
	return f(p)
}

// Printer is a Recorder that writes reports to W, one line each, at most one line per Interval.
// If Interval is zero, it writes all reports.
type Printer struct {
	W        io.Writer
	Interval time.Duration

	mu     sync.Mutex
	header bool
	next   time.Duration
}

// Record writes r as a line of a table, with a header before the first line. If 3 of 12 units
// of a phase are done, it prints "search 3/12", or "search 3" if the total is unknown. It
// returns write errors, and an error that wraps ErrOption if p or W is nil.
func (p *Printer) Record(r Progress) error {
	if p == nil || p.W == nil {
		return fmt.Errorf("rkhs: the Printer has no writer: %w", ErrOption)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.Elapsed < p.next {
		return nil
	}
	p.next = r.Elapsed + p.Interval
	if p.Interval == 0 {
		p.next = 0
	}
	if !p.header {
		p.header = true
		if _, err := fmt.Fprintf(p.W, "%10s %16s %8s %10s %10s  %s\n", "iteration", "objective", "order", "gap", "seconds", "phase"); err != nil {
			return err
		}
	}
	line := fmt.Sprintf("%10d %16.9g %8d %10.2e %10.3f  %s", r.Iteration, r.Objective, r.ModelOrder, r.Gap, r.Elapsed.Seconds(), r.phase())
	_, err := fmt.Fprintln(p.W, strings.TrimRight(line, " "))
	return err
}

// phase formats the phase and its progress.
func (r Progress) phase() string {
	switch {
	case r.Total > 0:
		return strings.TrimSpace(fmt.Sprintf("%s %d/%d", r.Phase, r.Done, r.Total))
	case r.Done > 0:
		return strings.TrimSpace(fmt.Sprintf("%s %d", r.Phase, r.Done))
	}
	return r.Phase
}
