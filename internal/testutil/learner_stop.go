package testutil

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/rkhs-go/rkhs"
)

// noLeaks reports goroutines that are still running after do.
func noLeaks(t testing.TB, do func()) {
	t.Helper()
	before := goleak.IgnoreCurrent()
	do()
	if err := goleak.Find(before); err != nil {
		t.Error(err)
	}
}

// usable checks that a stopped fit returns the error want and a model that can predict and be saved.
func (l Learner[O, M]) usable(t testing.TB, k task, m M, err, want error) {
	t.Helper()
	if s := wrongError(l.Package, err, want); s != "" {
		t.Error(s)
	}
	if reflect.ValueOf(m).IsNil() {
		t.Errorf("no model with the error %v", err)
		return
	}
	checkReload(t, m, l.Empty(), k.testX)
}

func (l Learner[O, M]) limit(t testing.TB) {
	if l.Limit == nil {
		return
	}
	k := l.task()
	noLeaks(t, func() {
		opts := l.options()
		l.Limit(opts)
		m, err := l.Fit(context.Background(), k.x, k.y, opts)
		l.usable(t, k, m, err, rkhs.ErrNotConverged)
	})
}

func (l Learner[O, M]) cancelledBefore(t testing.TB) {
	k, cause := l.task(), errors.New("cause")
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	caused, cancelCause := context.WithCancelCause(context.Background())
	cancelCause(cause)
	late, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	noLeaks(t, func() {
		for _, c := range []struct {
			ctx  context.Context
			want []error
		}{
			{cancelled, []error{context.Canceled}},
			{caused, []error{context.Canceled, cause}},
			{late, []error{context.DeadlineExceeded}},
		} {
			m, err := l.Fit(c.ctx, k.x, k.y, l.options())
			for _, want := range c.want {
				l.usable(t, k, m, err, want)
			}
		}
	})
}

// watch is a Recorder that checks all reports and calls act at one of them.
type watch struct {
	at  int
	act func() error

	busy, seen atomic.Int32
	mu         sync.Mutex
	calls      int
	last       time.Duration
	faults     map[string]bool
}

func (w *watch) Record(p rkhs.Progress) error {
	concurrent := w.busy.Add(1) > 1
	defer w.busy.Add(-1)
	if w.seen.Add(1) <= 100 {
		time.Sleep(time.Microsecond) // time for a concurrent call
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for fault, found := range map[string]bool{
		"Record was called from two goroutines at a time":                  concurrent,
		"a report is older than the one before it, or has negative counts": p.Elapsed < w.last || min(p.Iteration, p.ModelOrder) < 0,
		"a report has more done than there is":                             min(p.Done, p.Total) < 0 || p.Total > 0 && p.Done > p.Total,
	} {
		if found {
			w.faults[fault] = true
		}
	}
	w.last = p.Elapsed
	w.calls++
	if w.calls == w.at {
		return w.act()
	}
	return nil
}

func newWatch(at int, act func() error) *watch {
	return &watch{at: at, act: act, faults: map[string]bool{}}
}

// recorder checks the reports, and that the Recorder does not change the model.
func (l Learner[O, M]) recorder(t testing.TB) {
	k := l.task()
	w := newWatch(0, nil)
	noLeaks(t, func() {
		m := l.fitWith(t, k.x, k.y, l.set(0, 8, w))
		silent := l.fitWith(t, k.x, k.y, l.set(0, 8, nil))
		if !identical(predict(t, m, k.testX), predict(t, silent, k.testX)) {
			t.Error("the Recorder changes the model")
		}
	})
	for fault := range w.faults {
		t.Error(fault)
	}
}

// stops returns the number of reports of a complete fit, and reports at which to stop it.
func (l Learner[O, M]) stops(t testing.TB, k task) (n int, at []int) {
	t.Helper()
	w := newWatch(0, nil)
	l.fitWith(t, k.x, k.y, l.set(0, 2, w))
	if w.calls == 0 {
		t.Fatal("the Recorder was not called")
	}
	return w.calls, []int{1, max(1, w.calls/3), max(1, w.calls/2), w.calls}
}

func (l Learner[O, M]) recorderStops(t testing.TB) {
	k := l.task()
	stop := errors.New("stop here")
	_, stops := l.stops(t, k)
	for _, at := range stops {
		noLeaks(t, func() {
			w := newWatch(at, func() error { return stop })
			m, err := l.Fit(context.Background(), k.x, k.y, l.set(0, 2, w))
			l.usable(t, k, m, err, stop)
			if w.calls > at {
				t.Errorf("the Recorder was called %d times after it returned an error", w.calls-at)
			}
		})
	}
}

// cancelledDuring cancels fits at several reports. A fit cancelled at the last report may succeed.
func (l Learner[O, M]) cancelledDuring(t testing.TB) {
	k := l.task()
	n, stops := l.stops(t, k)
	for _, at := range stops {
		noLeaks(t, func() {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			w := newWatch(at, func() error { cancel(); return nil })
			m, err := l.Fit(ctx, k.x, k.y, l.set(0, 2, w))
			if err != nil || at < n {
				l.usable(t, k, m, err, context.Canceled)
			}
		})
	}
}
