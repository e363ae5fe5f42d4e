package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/rkhs-go/rkhs/polk"
)

func (s *session) head() {
	fmt.Fprintf(s.stdout, "%12s %12s %12s %8s %10s %12s %12s\n", "rows", s.measure()+", all", "since", "points", "bad lines", "rows/s", "resident MB")
}

func (s *session) measure() string {
	if s.classify {
		return "error %"
	}
	return "RMSE"
}

// show prints the error over all rows and over those since the last line.
func (s *session) show() {
	now := s.Report().Totals
	rows := now.Rows - s.shown.Rows
	if rows == 0 {
		return
	}
	fmt.Fprintf(s.stdout, "%12d %12.4g %12.4g %8d %10d %12.0f %12s\n", now.Rows, s.error(polk.Totals{}, now), s.error(s.shown, now),
		s.order, s.bad+s.refused, float64(rows)/time.Since(s.since).Seconds(), resident())
	s.shown, s.since = now, time.Now()
}

// error returns the error over the rows from one state to a later one: of labels in
// percent, of numbers the root of the mean square, of which the loss is the half.
func (s *session) error(from, to polk.Totals) float64 {
	rows := float64(to.Rows - from.Rows)
	if s.classify {
		return 100 * float64(to.Mistakes-from.Mistakes) / rows
	}
	sum := to.Loss*float64(to.Rows) - from.Loss*float64(from.Rows)
	return math.Sqrt(2 * max(0, sum) / rows)
}

func (s *session) summary(ctx context.Context) {
	end := "end of the input"
	if ctx.Err() != nil {
		end = "interrupted"
	}
	t := s.Report().Totals
	fmt.Fprintf(s.stdout, "%s: learned from %d rows; %d lines and %d rows left out\n", end, t.Rows, s.bad, s.refused)
	if t.Steps > 0 && 2*t.Stalled > t.Steps {
		fmt.Fprintf(s.stdout, "%d of %d steps were smaller than their budget and taught nothing\n", t.Stalled, t.Steps)
	}
}

// resident returns the resident memory of the process in MB where the system tells
// it as Linux does.
func resident() string {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return "?"
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(data), &size, &pages); err != nil {
		return "?"
	}
	return fmt.Sprintf("%.1f", float64(pages*int64(os.Getpagesize()))/1e6)
}
