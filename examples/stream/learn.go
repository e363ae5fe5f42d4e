package main

import (
	"context"
	"encoding"
	"fmt"
	"io"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/examples/internal/modelfile"
	"github.com/rkhs-go/rkhs/polk"
)

// learner is what polk.Learner and polk.ClassLearner have in common.
type learner interface {
	Update(x, y mat.Matrix) error
	Last() polk.Step
	Report() polk.Report
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

func (c *config) newLearner() (learner, error) {
	opts := &polk.Options{Batch: c.batch, Seed: c.seed}
	if c.classify {
		return polk.NewClassLearner(nil, opts)
	}
	return polk.NewLearner(opts)
}

// session is one run of the command.
type session struct {
	config
	learner
	order   int // points in the dictionary
	read    int // rows
	refused int // rows that the learner could not take
	bad     int // lines
	shown   polk.Totals
	since   time.Time
	stdout  io.Writer
	stderr  io.Writer
}

// learn takes in the standard input until it ends or ctx is done.
func (c *config) learn(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer) error {
	l, err := c.newLearner()
	if err == nil && c.resume {
		err = modelfile.Read(c.model, l)
	}
	if err != nil {
		return err
	}
	s := &session{config: *c, learner: l, shown: l.Report().Totals, since: time.Now(), stdout: stdout, stderr: stderr}
	s.head()
	err = s.consume(ctx, newRowReader(stdin, *c, 0))
	s.show()
	s.summary(ctx)
	if saved := s.save(); err == nil {
		err = saved
	}
	return err
}

func (s *session) consume(ctx context.Context, r *rowReader) error {
	full, free := chunks(ctx, r, s.batch)
	for {
		select {
		case <-ctx.Done():
			return nil
		case c, more := <-full:
			if !more {
				return nil
			}
			s.take(ctx, c)
			if c.err != nil {
				return fmt.Errorf("after line %d: %w", r.line, c.err)
			}
			free <- c
		}
	}
}

// take learns from a chunk in steps of a batch.
func (s *session) take(ctx context.Context, c *chunk) {
	s.bad = c.bad
	for _, note := range c.notes {
		fmt.Fprintln(s.stderr, note)
	}
	for from := 0; from < len(c.y) && ctx.Err() == nil; from += s.batch {
		to := min(from+s.batch, len(c.y))
		d := len(c.x) / len(c.y)
		s.step(mat.NewDense(to-from, d, c.x[from*d:to*d]), mat.NewDense(to-from, 1, c.y[from:to]))
	}
}

func (s *session) step(x, y *mat.Dense) {
	before := s.read / s.every
	s.read += x.RawMatrix().Rows
	if err := s.Update(x, y); err != nil {
		s.refused += x.RawMatrix().Rows
		if s.refused <= maxNotes {
			fmt.Fprintf(s.stderr, "row %d is left out: %v\n", s.read, err)
		}
	} else if step := s.Last(); !step.Waiting {
		s.order = step.ModelOrder
	}
	if s.read/s.every > before {
		s.show()
	}
}
