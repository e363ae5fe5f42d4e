// Command stream learns from lines of CSV on the standard input, without end, by
// package polk:
//
//	stream -generate 1000000 | stream -classify -batch 32 -model stream.model
//
// The target stands in the last column: a number or, with -classify, the label of a
// class. Rows are predicted before they are learned from, so that the errors printed
// are those on rows not seen before. Memory does not grow with the rows. With -batch
// the rows of a step are predicted together before any of them is learned from, which
// is faster and averages their noise.
//
// A line that is no row (another number of columns, no number, a label that is no
// whole number, a head) is counted and left out; the first few are named on the
// standard error. The learner is saved with each line of figures, and when the input
// ends or Ctrl-C or SIGTERM ends the command. With -resume it goes on from the
// file of -model, bit for bit as the learner that was saved.
package main

import (
	"context"
	"encoding"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"os/signal"
	"syscall"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/polk"
)

func main() {
	var s session
	flag.BoolVar(&s.classify, "classify", false, "the target is the label of a class, a whole number")
	flag.IntVar(&s.batch, "batch", 1, "`rows` to a step")
	flag.IntVar(&s.every, "every", 100000, "`rows` from one line of figures to the next")
	flag.StringVar(&s.model, "model", "", "save the learner to `file`")
	flag.BoolVar(&s.resume, "resume", false, "go on with the learner in the file of -model")
	rows := flag.Int("generate", 0, "write so many `rows` of a task of five classes in the plane, and learn nothing")
	flag.Parse()
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	if *rows > 0 {
		err = generate(ctx, os.Stdout, *rows, 1)
	} else {
		err = s.run(ctx, os.Stdin, os.Stdout, os.Stderr)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// learner is what a *polk.Learner and a *polk.ClassLearner have in common.
type learner interface {
	Update(x, y mat.Matrix) error
	Last() polk.Step
	Report() polk.Report
	encoding.BinaryMarshaler
}

// session is one run of the command.
type session struct {
	classify, resume bool
	batch, every     int
	model            string

	learner
	stdout, stderr io.Writer
	points         int         // of the function
	bad            int         // lines left out
	shown          polk.Totals // at the last line of figures
	since          time.Time
}

func (s *session) open() (err error) {
	opts := &polk.Options{Batch: s.batch, Seed: 1}
	switch {
	case s.resume:
		s.learner, err = rkhs.Load[learner](s.model)
	case s.classify:
		s.learner, err = polk.NewClassLearner(nil, opts) // labels as they are seen
	default:
		s.learner, err = polk.NewLearner(opts)
	}
	_, s.classify = s.learner.(*polk.ClassLearner)
	return err
}

// run learns from all lines until they end or ctx is done.
func (s *session) run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer) error {
	if s.batch < 1 || s.every < 1 {
		return fmt.Errorf("-batch %d -every %d, want 1 or more", s.batch, s.every)
	}
	if err := s.open(); err != nil {
		return err
	}
	s.stdout, s.stderr, s.shown, s.since = stdout, stderr, s.Report().Totals, time.Now()
	fmt.Fprintf(stdout, "%12s %12s %12s %8s %10s %12s\n", "rows", s.measure(), "since", "points", "bad lines", "rows/s")

	var r rows
	failed := s.consume(ctx, &r, stdin)
	err := errors.Join(failed, s.learn(&r), s.show())
	fmt.Fprintf(stdout, "learned from %d rows; %d lines left out\n", s.Report().Totals.Rows, s.bad)
	return err
}

// consume learns from the lines of stdin until they end or ctx is done.
func (s *session) consume(ctx context.Context, r *rows, stdin io.Reader) error {
	lines, end := read(ctx, stdin)
	for {
		select {
		case <-ctx.Done():
			return nil
		case l, more := <-lines:
			if !more {
				return <-end
			}
			if err := r.add(l, s.classify); err != nil {
				s.leaveOut(l, err)
			}
			if len(r.y) < s.batch {
				continue
			}
			if err := s.learn(r); err != nil {
				return err
			}
		}
	}
}

func (s *session) leaveOut(l line, err error) {
	if s.bad++; s.bad <= 10 {
		fmt.Fprintf(s.stderr, "line %d is left out: %v\n", l.number, err)
	}
}

// learn takes a step, and prints figures and saves when it is time. Rows that the
// learner cannot take, such as numbers too large to square, are left out.
func (s *session) learn(r *rows) error {
	if len(r.y) == 0 {
		return nil
	}
	before := s.Report().Totals.Rows / s.every
	x, y := r.take()
	if err := s.Update(x, y); err != nil {
		s.bad += y.RawMatrix().Rows - 1
		s.leaveOut(r.last, fmt.Errorf("with the rows of its step: %w", err))
	} else if step := s.Last(); !step.Waiting {
		s.points = step.ModelOrder
	}
	if s.Report().Totals.Rows/s.every > before {
		return s.show()
	}
	return nil
}

// show prints the error over all rows and over those since the last line, and saves.
func (s *session) show() error {
	now := s.Report().Totals
	if rows := now.Rows - s.shown.Rows; rows > 0 {
		fmt.Fprintf(s.stdout, "%12d %12.4g %12.4g %8d %10d %12.0f\n", now.Rows, s.error(polk.Totals{}, now), s.error(s.shown, now),
			s.points, s.bad, float64(rows)/time.Since(s.since).Seconds())
	}
	s.shown, s.since = now, time.Now()
	if s.model == "" {
		return nil
	}
	return rkhs.Save(s.model, s.learner)
}

func (s *session) measure() string {
	if s.classify {
		return "error %"
	}
	return "RMSE"
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
