package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/rkhs-go/rkhs"
)

// progress shows how far a fit is: one line that changes on a terminal, and otherwise a
// line now and then.
type progress struct {
	w        io.Writer
	stage    string // goes before the phase
	terminal bool
	quiet    bool
	next     time.Duration
	phase    string
	since    time.Duration // the phase began
	width    int           // of the line that is shown
}

// Lines that change come ten times a second, others every five seconds.
const (
	refresh = time.Second / 10
	line    = 5 * time.Second
)

func newProgress(w io.Writer, stage string, quiet bool) *progress {
	p := &progress{w: w, stage: stage, quiet: quiet}
	if f, ok := w.(*os.File); ok {
		info, err := f.Stat()
		p.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	if !p.terminal {
		p.next = line
	}
	return p
}

// Record implements rkhs.Recorder.
func (p *progress) Record(r rkhs.Progress) error {
	if r.Phase != p.phase {
		p.phase, p.since = r.Phase, r.Elapsed
	}
	if p.quiet || r.Elapsed < p.next {
		return nil
	}
	text := p.text(r)
	if p.terminal {
		p.next = r.Elapsed + refresh
		fmt.Fprintf(p.w, "\r%s%s", text, strings.Repeat(" ", max(0, p.width-len(text))))
		p.width = len(text)
		return nil
	}
	p.next = r.Elapsed + line
	fmt.Fprintln(p.w, text)
	return nil
}

// text tells phase, part done, the rate so far, in what the learner counts, and the time left at
// this rate.
func (p *progress) text(r rkhs.Progress) string {
	name := r.Phase
	if name == "" {
		name = "fit"
	}
	text := fmt.Sprintf("%s%s: %.1f s", p.stage, name, r.Elapsed.Seconds())
	spent := (r.Elapsed - p.since).Seconds()
	if r.Total <= 0 {
		if r.Iteration > 0 {
			text += fmt.Sprintf(", step %d", r.Iteration)
			if spent > 1 {
				text += fmt.Sprintf(", %s/s", rate(float64(r.Iteration)/spent))
			}
		}
		return text
	}
	part := min(1, float64(r.Done)/float64(r.Total))
	text += fmt.Sprintf(", %.0f %%", 100*part)
	if p.terminal {
		const width = 20
		full := int(part * width)
		text += " [" + strings.Repeat("#", full) + strings.Repeat(".", width-full) + "]"
	}
	if part > 0.02 && spent > 1 {
		text += fmt.Sprintf(", %s/s, %.0f s left", rate(float64(r.Done)/spent), spent*(1-part)/part)
	}
	return text
}

// rate returns three digits of a number, or all before the point.
func rate(v float64) string {
	if v >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

// end clears the line that changes.
func (p *progress) end() {
	if p.terminal && p.width > 0 {
		fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", p.width))
	}
}
