package polk

import (
	"context"
	"fmt"
	"iter"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
)

// Batch is a number of rows: X is n×d, Y holds the targets, n×q, or the labels,
// n×1.
type Batch struct{ X, Y mat.Matrix }

// Learn takes in all rows of a stream, in steps of Options.Batch rows; a step
// does not reach beyond a batch of the stream. It ends with the stream, or with
// the first error: of the stream, of a step, of the Recorder, or of the context,
// which is looked at after each step. What was learned before it stays.
func (l *Learner) Learn(ctx context.Context, stream iter.Seq2[Batch, error]) error {
	if err := l.ready(); err != nil {
		return err
	}
	return l.core.learn(ctx, stream, l.update)
}

// Learn takes in all rows of a stream, as Learner.Learn does.
func (l *ClassLearner) Learn(ctx context.Context, stream iter.Seq2[Batch, error]) error {
	if err := l.ready(); err != nil {
		return err
	}
	return l.core.learn(ctx, stream, l.update)
}

func (c *core) learn(ctx context.Context, stream iter.Seq2[Batch, error], update func(x, y compute.Matrix) (Step, error)) error {
	r := monitor.New(ctx, c.set.Recorder, "polk")
	defer r.Close()
	for b, err := range stream {
		if err != nil {
			return fmt.Errorf("polk: stream: %w", err)
		}
		x, y, err := door.Pair("polk", b.X, b.Y)
		if err != nil {
			return err
		}
		for from := 0; from < x.Rows; from += c.set.Batch {
			if err := r.Err(); err != nil {
				return err
			}
			to := min(from+c.set.Batch, x.Rows)
			if _, err := update(compute.Rows(x, from, to), compute.Rows(y, from, to)); err != nil {
				return err
			}
			if c.f != nil { // else all rows wait
				r.Report(c.progress())
			}
		}
	}
	return r.Err()
}
