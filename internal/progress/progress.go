// Package progress reports the progress of a fit to its Recorder, and stops the fit if the Recorder returns
// an error or the context is cancelled.
package progress

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/input"
)

// Monitor reports the progress of one fit. It is safe for concurrent use.
type Monitor struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	rec    rkhs.Recorder
	pkg    string
	start  time.Time

	mu sync.Mutex // held while the Recorder is called
}

// recorderError is the cancellation cause if the Recorder stopped the fit.
type recorderError struct{ error }

// New returns the monitor of a fit that begins now. Errors begin with pkg. rec may be nil. A nil context
// stops the fit at once with an error that wraps rkhs.ErrOption. The caller must call Close.
func New(ctx context.Context, rec rkhs.Recorder, pkg string) *Monitor {
	m := &Monitor{rec: rec, pkg: pkg, start: time.Now()}
	err := input.Context(pkg, ctx)
	if err != nil {
		ctx = context.Background()
	}
	m.ctx, m.cancel = context.WithCancelCause(ctx)
	if err != nil {
		m.cancel(err)
	}
	return m
}

// Quiet returns a monitor that stops with m and does not report.
func (m *Monitor) Quiet() *Monitor { return New(m.ctx, nil, m.pkg) }

// Close releases the context of m and of its quiet monitors.
func (m *Monitor) Close() { m.cancel(nil) }

// Context returns a context that is cancelled when the fit must stop.
func (m *Monitor) Context() context.Context { return m.ctx }

// Stopped reports whether the fit must stop.
func (m *Monitor) Stopped() bool { return m.ctx.Err() != nil }

// Silent reports whether m has no Recorder, so that reports need not be computed.
func (m *Monitor) Silent() bool { return m.rec == nil }

// Report passes p with the elapsed time to the Recorder, one report at a time. It does not report after
// the fit was stopped.
func (m *Monitor) Report(p rkhs.Progress) {
	if m.Silent() {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Stopped() { // possibly by the previous report
		return
	}
	p.Elapsed = time.Since(m.start)
	if err := m.rec.Record(p); err != nil {
		m.cancel(recorderError{err})
	}
}

// Status returns rkhs.Stopped if the Recorder stopped the fit, rkhs.Cancelled if the context did, and
// otherwise rkhs.Converged.
func (m *Monitor) Status() rkhs.Status {
	if !m.Stopped() {
		return rkhs.Converged
	}
	if _, ok := context.Cause(m.ctx).(recorderError); ok {
		return rkhs.Stopped
	}
	return rkhs.Cancelled
}

// Err returns nil if the fit was not stopped. Otherwise the error wraps the error of the Recorder, or the
// error and the cause of the context.
func (m *Monitor) Err() error {
	if !m.Stopped() {
		return nil
	}
	err, cause := m.ctx.Err(), context.Cause(m.ctx)
	if r, ok := cause.(recorderError); ok {
		return fmt.Errorf("%s: stopped: %w", m.pkg, r.error)
	}
	if errors.Is(cause, err) {
		return fmt.Errorf("%s: stopped: %w", m.pkg, cause)
	}
	return fmt.Errorf("%s: stopped: %w: %w", m.pkg, err, cause)
}
