package rkhs

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// Progress is what a learner knows about its fit at one moment.
type Progress struct {
	// Phase names what the fit is doing: "search" for what the options leave open,
	// "fit", or a word of the learner's own. Empty for a fit of one phase.
	Phase string
	// Done counts what the phase has done, and Total what it has to do: 0 if that is
	// not known.
	Done, Total int
	// Iteration counts the steps of the learner, in its own unit.
	Iteration int
	// Objective is the value that the learner minimises.
	Objective float64
	// ModelOrder is the number of terms in the model: landmarks with weight,
	// blocks of features, kernels, or dictionary points.
	ModelOrder int
	// Gap bounds how far Objective is from its minimum; NaN where the learner
	// has no bound at hand.
	Gap float64
	// Elapsed is the time since the fit began.
	Elapsed time.Duration
}

// Recorder receives the progress of a fit. A learner calls Record from one
// goroutine at a time; if Record returns an error, the fit stops and returns
// its best model so far together with an error that wraps it.
type Recorder interface {
	Record(Progress) error
}

// RecorderFunc lets a function serve as a Recorder.
type RecorderFunc func(Progress) error

// Record calls f. Of a nil f it returns an error that wraps ErrOption.
func (f RecorderFunc) Record(p Progress) error {
	if f == nil {
		return fmt.Errorf("rkhs: the RecorderFunc is nil: %w", ErrOption)
	}
	return f(p)
}

// Printer is a Recorder that writes one line for each report to W, and no more
// than one line each Interval. The zero Interval writes every report.
type Printer struct {
	W        io.Writer
	Interval time.Duration

	mu     sync.Mutex
	header bool
	next   time.Duration
}

// Record writes r as a line of a table, and the head of the table before the first
// line: a phase that has done 3 of 12 is "search 3/12", or "search 3" if the 12 are not
// known. It returns the error of the writer, and one that wraps ErrOption if there is
// none.
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

// phase returns the phase and how far it is.
func (r Progress) phase() string {
	switch {
	case r.Total > 0:
		return strings.TrimSpace(fmt.Sprintf("%s %d/%d", r.Phase, r.Done, r.Total))
	case r.Done > 0:
		return strings.TrimSpace(fmt.Sprintf("%s %d", r.Phase, r.Done))
	}
	return r.Phase
}
