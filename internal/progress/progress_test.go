package progress

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/rkhs-go/rkhs"
)

var errStop = errors.New("stop here")

// log is a Recorder that returns err at the report with Iteration at. It has no
// lock of its own: the race detector sees two reports at a time.
type log struct {
	at   int
	err  error
	seen []rkhs.Progress
}

func (l *log) Record(p rkhs.Progress) error {
	l.seen = append(l.seen, p)
	if p.Iteration == l.at {
		return l.err
	}
	return nil
}

// check compares the status of m and the errors that its error wraps.
func check(t *testing.T, m *Monitor, status rkhs.Status, message string, wraps ...error) {
	t.Helper()
	if stopped := status != rkhs.Converged; m.Stopped() != stopped || (m.Context().Err() != nil) != stopped {
		t.Errorf("Stopped is %v and the context says %v", m.Stopped(), m.Context().Err())
	}
	if s := m.Status(); s != status {
		t.Errorf("status %v, want %v", s, status)
	}
	err := m.Err()
	if message == "" {
		if err != nil {
			t.Errorf("error %q, want none", err)
		}
		return
	}
	if err == nil || err.Error() != message {
		t.Errorf("error %q, want %q", err, message)
	}
	for _, w := range wraps {
		if !errors.Is(err, w) {
			t.Errorf("%q does not wrap %q", err, w)
		}
	}
}

func TestRunning(t *testing.T) {
	l := new(log)
	m := New(context.Background(), l, "pkg")
	defer m.Close()
	want := rkhs.Progress{Phase: "fit", Done: 1, Total: 5, Iteration: 1, Objective: 2, ModelOrder: 3, Gap: 4}
	before := time.Since(m.start)
	m.Report(want)
	if m.Silent() || len(l.seen) != 1 {
		t.Fatalf("silent is %v after %d reports, want one report", m.Silent(), len(l.seen))
	}
	got := l.seen[0]
	if got.Elapsed < before || got.Elapsed > time.Since(m.start) {
		t.Errorf("elapsed %v", got.Elapsed)
	}
	got.Elapsed = 0
	if got != want {
		t.Errorf("recorded %+v, want %+v", got, want)
	}
	check(t, m, rkhs.Converged, "")
}

func TestWithoutRecorder(t *testing.T) {
	m := New(context.Background(), nil, "pkg")
	defer m.Close()
	m.Report(rkhs.Progress{})
	if !m.Silent() {
		t.Error("a monitor without a Recorder is not silent")
	}
	check(t, m, rkhs.Converged, "")
}

func TestRecorderError(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	l := &log{at: 2, err: errStop}
	m := New(ctx, l, "pkg")
	defer m.Close()
	for i := range 5 {
		m.Report(rkhs.Progress{Iteration: i})
	}
	if len(l.seen) != 3 {
		t.Errorf("%d reports, want those up to the error: 3", len(l.seen))
	}
	cancel() // later than the error, and so of no consequence
	check(t, m, rkhs.Stopped, "pkg: stopped: stop here", errStop)
	if errors.Is(m.Err(), context.Canceled) {
		t.Error("the error of the Recorder is said to be that of the context")
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	l := new(log)
	m := New(ctx, l, "pkg")
	defer m.Close()
	cancel()
	m.Report(rkhs.Progress{})
	if len(l.seen) > 0 {
		t.Error("a report after the context was cancelled")
	}
	check(t, m, rkhs.Cancelled, "pkg: stopped: context canceled", context.Canceled)
}

// The Recorder may cancel the context instead of returning an error.
func TestCancelledByReport(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	m := New(ctx, rkhs.RecorderFunc(func(rkhs.Progress) error { cancel(); return errStop }), "pkg")
	defer m.Close()
	m.Report(rkhs.Progress{})
	check(t, m, rkhs.Cancelled, "pkg: stopped: context canceled", context.Canceled)
}

func TestCause(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	m := New(ctx, nil, "pkg")
	defer m.Close()
	cancel(errStop)
	check(t, m, rkhs.Cancelled, "pkg: stopped: context canceled: stop here", context.Canceled, errStop)
}

func TestDeadline(t *testing.T) {
	ctx, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	m := New(ctx, nil, "pkg")
	defer m.Close()
	check(t, m, rkhs.Cancelled, "pkg: stopped: context deadline exceeded", context.DeadlineExceeded)
}

func TestNilContext(t *testing.T) {
	l := new(log)
	var none context.Context
	m := New(none, l, "pkg")
	defer m.Close()
	m.Report(rkhs.Progress{})
	if len(l.seen) > 0 {
		t.Error("a report of a fit without a context")
	}
	check(t, m, rkhs.Cancelled, "pkg: stopped: context canceled: pkg: the context is nil: invalid option", rkhs.ErrOption)
}

// A fit that the Recorder stopped may be the reason to cancel another.
func TestCauseIsOtherFit(t *testing.T) {
	first := New(context.Background(), &log{err: errStop}, "first")
	defer first.Close()
	first.Report(rkhs.Progress{})
	ctx, cancel := context.WithCancelCause(context.Background())
	m := New(ctx, nil, "second")
	defer m.Close()
	cancel(first.Err())
	check(t, m, rkhs.Cancelled, "second: stopped: context canceled: first: stopped: stop here", context.Canceled, errStop)
}

func TestConcurrentReports(t *testing.T) {
	const at, all = 50, 200
	n := 0 // of reports; the lock of the monitor guards it
	m := New(context.Background(), rkhs.RecorderFunc(func(rkhs.Progress) error {
		if n++; n >= at {
			return errStop
		}
		return nil
	}), "pkg")
	defer m.Close()
	var wg sync.WaitGroup
	for range all {
		wg.Add(1)
		go func() {
			defer wg.Done()
			m.Report(rkhs.Progress{})
		}()
	}
	wg.Wait()
	if n != at {
		t.Errorf("%d reports, want %d: none after the error", n, at)
	}
	check(t, m, rkhs.Stopped, "pkg: stopped: stop here", errStop)
}

func TestQuiet(t *testing.T) {
	l := &log{at: 1, err: errStop}
	m := New(context.Background(), l, "pkg")
	defer m.Close()
	q := m.Quiet()
	q.Report(rkhs.Progress{Iteration: 1})
	if len(l.seen) > 0 || !q.Silent() {
		t.Error("a quiet monitor reported")
	}
	check(t, q, rkhs.Converged, "")
	m.Report(rkhs.Progress{Iteration: 1})
	check(t, q, rkhs.Stopped, "pkg: stopped: stop here", errStop)
}

func TestClose(t *testing.T) {
	m := New(context.Background(), nil, "pkg")
	q := m.Quiet()
	m.Close()
	<-m.Context().Done()
	<-q.Context().Done()
}
