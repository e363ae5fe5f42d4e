package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/rkhs-go/rkhs"
)

// progress prints the progress of a fit: on a terminal in one line that changes, else as lines.
type progress struct {
	w        io.Writer
	prefix   string
	terminal bool
	quiet    bool
	next     time.Duration
	phase    string
	start    time.Duration // of the phase
	width    int           // of the line on the terminal
}

// The intervals between lines.
const (
	terminalInterval = time.Second / 10
	lineInterval     = 5 * time.Second
)

func newProgress(w io.Writer, prefix string, quiet bool) *progress {
	p := &progress{w: w, prefix: prefix, quiet: quiet}
	if f, ok := w.(*os.File); ok {
		info, err := f.Stat()
		p.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	if !p.terminal {
		p.next = lineInterval
	}
	return p
}

// Record implements rkhs.Recorder.
func (p *progress) Record(r rkhs.Progress) error {
	if r.Phase != p.phase {
		p.phase, p.start = r.Phase, r.Elapsed
	}
	if p.quiet || r.Elapsed < p.next {
		return nil
	}
	text := p.text(r)
	if !p.terminal {
		p.next = r.Elapsed + lineInterval
		fmt.Fprintln(p.w, text)
		return nil
	}
	p.next = r.Elapsed + terminalInterval
	fmt.Fprintf(p.w, "\r%s%s", text, strings.Repeat(" ", max(0, p.width-len(text))))
	p.width = len(text)
	return nil
}

// text returns the phase, the finished part, the speed and the remaining time.
func (p *progress) text(r rkhs.Progress) string {
	phase := r.Phase
	if phase == "" {
		phase = "fit"
	}
	text := fmt.Sprintf("%s%s: %.1f s", p.prefix, phase, r.Elapsed.Seconds())
	spent := (r.Elapsed - p.start).Seconds()
	if r.Total <= 0 {
		if r.Iteration > 0 {
			text += fmt.Sprintf(", step %d", r.Iteration)
			if spent > 1 {
				text += fmt.Sprintf(", %s/s", threeDigits(float64(r.Iteration)/spent))
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
		text += fmt.Sprintf(", %s/s, %.0f s left", threeDigits(float64(r.Done)/spent), spent*(1-part)/part)
	}
	return text
}

// threeDigits formats three digits of a number, or all digits before the decimal point.
func threeDigits(v float64) string {
	if v >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

// end clears the line on the terminal.
func (p *progress) end() {
	if p.terminal && p.width > 0 {
		fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", p.width))
	}
}
