package alignment

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
	ctx    context.Context
	cancel context.CancelCauseFunc
	rec    rkhs.Recorder
	start  time.Time
}

// errRecorder marks an error of the Recorder.
type errRecorder struct{ error }

func (e errRecorder) Unwrap() error { return e.error }

func newReporter(ctx context.Context, rec rkhs.Recorder) *reporter {
	r := &reporter{rec: rec, start: time.Now()}
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	return r
}

func (r *reporter) stopped() bool { return r.ctx.Err() != nil }

func (r *reporter) report(iteration, order int, objective float64) {
	if r.rec == nil || r.stopped() {
		return
	}
	err := r.rec.Record(rkhs.Progress{Iteration: iteration, Objective: objective, ModelOrder: order, Gap: math.NaN(), Elapsed: time.Since(r.start)})
	if err != nil {
		r.cancel(errRecorder{err})
	}
}

// outcome is the status of work that is done or was stopped.
func (r *reporter) outcome() rkhs.Status {
	switch {
	case !r.stopped():
		return rkhs.Converged
	case errors.As(context.Cause(r.ctx), &errRecorder{}):
		return rkhs.Stopped
	}
	return rkhs.Cancelled
}

// err returns nil, or an error that wraps that of the Recorder, or that of the
// context and its cause.
func (r *reporter) err() error {
	if !r.stopped() {
		return nil
	}
	cause := context.Cause(r.ctx)
	if errors.As(cause, &errRecorder{}) || errors.Is(cause, r.ctx.Err()) {
		return fmt.Errorf("alignment: stopped: %w", cause)
	}
	return fmt.Errorf("alignment: stopped: %w: %w", r.ctx.Err(), cause)
}
