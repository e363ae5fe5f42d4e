package main

import (
	"fmt"
	"io"

	"github.com/schollz/progressbar/v3"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/examples/internal/commandline"
)

// progress is a rkhs.Recorder that shows each pass over the blocks as a bar.
type progress struct {
	bar    *progressbar.ProgressBar
	blocks int // of the passes shown
	before int // iterations before them
}

// newProgress shows nothing unless w is a terminal.
func newProgress(w io.Writer) *progress {
	return &progress{bar: progressbar.NewOptions(1,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetVisibility(commandline.IsTerminal(w)),
		progressbar.OptionShowCount(),
		progressbar.OptionClearOnFinish(),
	)}
}

// Record implements rkhs.Recorder. The number of blocks changes between passes
// only.
func (p *progress) Record(r rkhs.Progress) error {
	if r.ModelOrder == 0 { // the fit has begun
		return nil
	}
	if r.ModelOrder != p.blocks {
		p.blocks, p.before = r.ModelOrder, r.Iteration-1
		p.bar.ChangeMax(p.blocks)
	}
	done := r.Iteration - p.before
	p.bar.Describe(fmt.Sprintf("blocks of pass %d, objective %.4g", (done-1)/p.blocks+1, r.Objective))
	place := (done-1)%p.blocks + 1
	if place == p.blocks { // a bar that is full would be cleared and end
		place--
	}
	return p.bar.Set(place)
}

func (p *progress) finish() { p.bar.Finish() }
