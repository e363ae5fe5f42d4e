package doublysgd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rkhs-go/rkhs"
)

// reporter passes progress on, and knows when to stop.
type reporter struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	rec    rkhs.Recorder
	start  time.Time
}

// errRecorder marks an error of the Recorder.
type errRecorder struct{ error }

func (e errRecorder) Unwrap() error { return e.error }

// newReporter returns a reporter whose cancel must be called at the end.
func newReporter(ctx context.Context, rec rkhs.Recorder) *reporter {
	r := &reporter{rec: rec, start: time.Now()}
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	return r
}

func (r *reporter) stopped() bool { return r.ctx.Err() != nil }

// report hands p on, with the time that has passed.
func (r *reporter) report(p rkhs.Progress) {
	if r.rec == nil || r.stopped() {
		return
	}
	p.Elapsed = time.Since(r.start)
	if err := r.rec.Record(p); err != nil {
		r.cancel(errRecorder{err})
	}
}

// status is that of a fit that was stopped.
func (r *reporter) status() rkhs.Status {
	if errors.As(context.Cause(r.ctx), &errRecorder{}) {
		return rkhs.Stopped
	}
	return rkhs.Cancelled
}

// why returns an error that wraps that of the Recorder, or the error of the
// context and its cause; nil if nothing has stopped the fit.
func (r *reporter) why() error {
	if !r.stopped() {
		return nil
	}
	cause := context.Cause(r.ctx)
	if errors.As(cause, &errRecorder{}) || errors.Is(cause, r.ctx.Err()) {
		return fmt.Errorf("doublysgd: fit stopped: %w", cause)
	}
	return fmt.Errorf("doublysgd: fit stopped: %w: %w", r.ctx.Err(), cause)
}
