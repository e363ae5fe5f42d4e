package main

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/examples/internal/commandline"
)

// progress is a rkhs.Recorder that shows the pass over the rows as a bar, and
// what follows, whose length is not known, as a spinner.
type progress struct {
	rows, spinner *progressbar.ProgressBar
	total         int
	passed        bool
	next          time.Duration // the spinner turns no sooner
}

// interval is the time between two turns of the spinner: a fit reports far more
// often.
const interval = 100 * time.Millisecond

// newProgress shows nothing unless w is a terminal.
func newProgress(w io.Writer, rows int) *progress {
	options := func(text string) []progressbar.Option {
		return []progressbar.Option{
			progressbar.OptionSetWriter(w),
			progressbar.OptionSetVisibility(commandline.IsTerminal(w)),
			progressbar.OptionSetDescription(text),
			progressbar.OptionClearOnFinish(),
		}
	}
	return &progress{
		rows:    progressbar.NewOptions(rows, append(options("reading rows"), progressbar.OptionShowCount())...),
		spinner: progressbar.NewOptions(-1, options("solving")...),
		total:   rows,
	}
}

// Record implements rkhs.Recorder. Before there is an objective, iterations
// count rows until all have passed.
func (p *progress) Record(r rkhs.Progress) error {
	if !p.passed && math.IsNaN(r.Objective) {
		p.passed = r.Iteration >= p.total
		return p.rows.Set(r.Iteration)
	}
	p.passed = true
	if r.Elapsed < p.next {
		return nil
	}
	p.next = r.Elapsed + interval
	p.spinner.Describe(fmt.Sprintf("solving, m0 = %d", r.ModelOrder))
	return p.spinner.Add(1)
}

func (p *progress) finish() {
	p.rows.Finish()
	p.spinner.Finish()
}
