// Package monitor stands between a fit and those who watch it: it hands
// progress to the Recorder, and tells the fit to stop when the Recorder returned
// an error or the context was cancelled, whichever came first.
package monitor

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/door"
)

// Monitor watches one fit. Its methods may be called concurrently.
type Monitor struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	rec    rkhs.Recorder
	pkg    string
	start  time.Time

	mu sync.Mutex // held while the Recorder is called
}

// recorderError is the cause of a context that the Recorder stopped.
type recorderError struct{ error }

// New returns the monitor of a fit that begins now. rec may be nil; pkg begins
// the errors. Close must be called at the end. A fit with a nil context is stopped from
// the first by an error that wraps rkhs.ErrOption.
func New(ctx context.Context, rec rkhs.Recorder, pkg string) *Monitor {
	m := &Monitor{rec: rec, pkg: pkg, start: time.Now()}
	err := door.Context(pkg, ctx)
	if err != nil {
		ctx = context.Background()
	}
	m.ctx, m.cancel = context.WithCancelCause(ctx)
	if err != nil {
		m.cancel(err)
	}
	return m
}

// Quiet returns a monitor that stops when m does, and reports nothing.
func (m *Monitor) Quiet() *Monitor { return New(m.ctx, nil, m.pkg) }

// Close frees what the context holds, for this monitor and its quiet ones.
func (m *Monitor) Close() { m.cancel(nil) }

// Context returns a context that is cancelled when the fit has to stop.
func (m *Monitor) Context() context.Context { return m.ctx }

// Stopped tells whether the fit has to stop.
func (m *Monitor) Stopped() bool { return m.ctx.Err() != nil }

// Silent tells whether nobody gets the reports, which then need not be computed.
func (m *Monitor) Silent() bool { return m.rec == nil }

// Report hands p on with the time that has passed, one report at a time. After
// the fit was told to stop it does nothing.
func (m *Monitor) Report(p rkhs.Progress) {
	if m.Silent() {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Stopped() { // perhaps by the report that this one waited for
		return
	}
	p.Elapsed = time.Since(m.start)
	if err := m.rec.Record(p); err != nil {
		m.cancel(recorderError{err})
	}
}

// Status returns rkhs.Stopped if the Recorder stopped the fit, rkhs.Cancelled if
// the context did, and rkhs.Converged if nothing has.
func (m *Monitor) Status() rkhs.Status {
	if !m.Stopped() {
		return rkhs.Converged
	}
	if _, ok := context.Cause(m.ctx).(recorderError); ok {
		return rkhs.Stopped
	}
	return rkhs.Cancelled
}

// Err returns an error that wraps that of the Recorder, or that of the context
// and its cause; nil if nothing has stopped the fit.
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
