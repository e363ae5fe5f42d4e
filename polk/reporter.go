package polk

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/rkhs-go/rkhs"
)

// reporter passes progress on and knows when to stop.
type reporter struct {
	ctx   context.Context
	rec   rkhs.Recorder
	start time.Time
	err   error // of the Recorder
}

func newReporter(ctx context.Context, rec rkhs.Recorder) *reporter {
	return &reporter{ctx: ctx, rec: rec, start: time.Now()}
}

func (r *reporter) stopped() bool { return r.err != nil || r.ctx.Err() != nil }

// why returns an error that wraps that of the Recorder, or that of the context
// and its cause.
func (r *reporter) why() error {
	if r.err != nil {
		return fmt.Errorf("polk: stopped: %w", r.err)
	}
	err, cause := r.ctx.Err(), context.Cause(r.ctx)
	if errors.Is(cause, err) {
		return fmt.Errorf("polk: stopped: %w", cause)
	}
	return fmt.Errorf("polk: stopped: %w: %w", err, cause)
}

// status is that of a fit that was stopped.
func (r *reporter) status() rkhs.Status {
	if r.err != nil {
		return rkhs.Stopped
	}
	return rkhs.Cancelled
}

func (r *reporter) report(c *core) {
	if r.rec == nil || r.stopped() || c.f == nil {
		return
	}
	r.err = r.rec.Record(rkhs.Progress{
		Iteration:  c.totals.Rows,
		Objective:  c.totals.Loss,
		ModelOrder: c.f.order(),
		Gap:        math.NaN(),
		Elapsed:    time.Since(r.start),
	})
}
