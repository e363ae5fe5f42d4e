package testutil

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"sync"
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
	err := goleak.Find(before)
	expect(t, err == nil, "%v", err)
}

// usable checks that a stopped fit returns the error want and a model that can predict and be saved.
func (l Learner[O, M]) usable(t testing.TB, k task, m M, err, want error) {
	expectError(t, l.Package, err, want)
	require(t, !reflect.ValueOf(m).IsNil(), "no model with the error %v", err)
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

// reportChecker is a Recorder that checks all reports and calls act at one of them.
type reportChecker struct {
	at  int
	act func() error

	mu    sync.Mutex
	calls int
	last  time.Duration
	fault string
}

func (w *reportChecker) Record(p rkhs.Progress) error {
	alone := w.mu.TryLock()
	if !alone {
		w.mu.Lock()
	}
	defer w.mu.Unlock()
	if w.calls < 100 {
		time.Sleep(time.Microsecond) // time for a concurrent call
	}
	w.check(alone, "Record was called from two goroutines at a time")
	w.check(p.Elapsed >= w.last, "a report is older than the one before it")
	w.check(min(p.Iteration, p.ModelOrder, p.Done, p.Total) >= 0, "a report has a negative count")
	w.check(p.Total == 0 || p.Done <= p.Total, "a report has more done than there is")
	w.last = p.Elapsed
	w.calls++
	if w.calls == w.at {
		return w.act()
	}
	return nil
}

// check keeps the first fault.
func (w *reportChecker) check(ok bool, fault string) {
	if !ok && w.fault == "" {
		w.fault = fault
	}
}

// checkedFit is a fit with a Recorder that checks its reports.
type checkedFit[M any] struct {
	reportChecker
	m   M
	err error
}

func (l Learner[O, M]) checkedFit() *checkedFit[M] {
	k, w := l.task(), new(checkedFit[M])
	w.m, w.err = l.Fit(context.Background(), k.x, k.y, l.set(0, 8, &w.reportChecker))
	return w
}

// recorder checks the reports, and that the Recorder does not change the model.
func (l Learner[O, M]) recorder(t testing.TB) {
	k := l.task()
	var w *checkedFit[M]
	noLeaks(t, func() { w = l.checked() })
	noError(t, w.err)
	silent := l.fitWith(t, k.x, k.y, l.set(0, 8, nil))
	expect(t, identical(predict(t, w.m, k.testX), predict(t, silent, k.testX)), "the Recorder changes the model")
	expect(t, w.fault == "", "%s", w.fault)
}

// stops returns the number of reports of a complete fit, and reports at which to stop it.
func (l Learner[O, M]) stops(t testing.TB) (n int, at []int) {
	w := l.checked()
	noError(t, w.err)
	require(t, w.calls > 0, "the Recorder was not called")
	return w.calls, []int{1, max(1, w.calls/3), max(1, w.calls/2), w.calls}
}

func (l Learner[O, M]) recorderStops(t testing.TB) {
	k := l.task()
	stop := errors.New("stop here")
	_, stops := l.stops(t)
	for _, at := range stops {
		noLeaks(t, func() {
			w := &reportChecker{at: at, act: func() error { return stop }}
			m, err := l.Fit(context.Background(), k.x, k.y, l.set(0, 8, w))
			l.usable(t, k, m, err, stop)
			expect(t, w.calls <= at, "the Recorder was called %d times after it returned an error", w.calls-at)
		})
	}
}

// cancelledDuring cancels fits at several reports. A fit cancelled at the last report may succeed.
func (l Learner[O, M]) cancelledDuring(t testing.TB) {
	k := l.task()
	n, stops := l.stops(t)
	for _, at := range stops {
		noLeaks(t, func() {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			w := &reportChecker{at: at, act: func() error { cancel(); return nil }}
			m, err := l.Fit(ctx, k.x, k.y, l.set(0, 8, w))
			if err != nil || at < n {
				l.usable(t, k, m, err, context.Canceled)
			}
		})
	}
}

// large cancels a fit of many rows after a second and a half. The fit must have reported within the
// first second, and must end within a second of cancellation. The time in which threads wait for a
// processor does not count, and one of three attempts suffices, because the machine may be busy. A
// fast machine gets more rows.
func (l Learner[O, M]) large(t testing.TB) {
	if l.LargeRows == 0 || !LongTests() {
		return
	}
	second := l.second
	if second == 0 {
		second = time.Second
	}
	var first, late time.Duration
	for rows, attempts := l.LargeRows, 0; attempts < 3; {
		var ok bool
		first, late, ok = l.cancelled(t, newTask(rows, Inputs, l.Outputs, l.Labels), second)
		switch {
		case ok && max(first, late) <= second:
			return
		case ok:
			attempts++
		case rows == l.LargeRows<<3:
			t.Fatalf("the fit of %d rows needs too little time to be cancelled", rows)
		default:
			rows *= 2
		}
	}
	expect(t, first <= second, "no report within %v, the first after %v", second, first)
	expect(t, late <= second, "the fit ended %v after it was cancelled, want at most %v", late, second)
}

// cancelled cancels a fit after a second and a half. It returns the time of the first report, the
// time from cancellation to the end, and false if the fit ended before.
func (l Learner[O, M]) cancelled(t testing.TB, k task, second time.Duration) (first, late time.Duration, ok bool) {
	noLeaks(t, func() {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		start := newStopwatch()
		first = math.MaxInt64
		opts := l.set(0, 0, rkhs.RecorderFunc(func(rkhs.Progress) error {
			if first == math.MaxInt64 {
				first = start.elapsed()
			}
			return nil
		}))
		end := make(chan stopwatch, 1)
		defer time.AfterFunc(second*3/2, func() {
			end <- newStopwatch()
			cancel()
		}).Stop()
		m, err := l.Fit(ctx, k.x, k.y, opts)
		if ok = ctx.Err() != nil; ok {
			late = (<-end).elapsed()
			l.usable(t, k, m, err, context.Canceled)
		}
		require(t, ok || !l.fails(err), "%v", err)
	})
	return first, late, ok
}

// stopwatch measures time without the time that the threads of this process wait for a processor.
type stopwatch struct {
	began  time.Time
	waited map[string]time.Duration // by thread
}

func newStopwatch() stopwatch { return stopwatch{time.Now(), waited()} }

func (s stopwatch) elapsed() time.Duration { return time.Since(s.began) - s.waiting() }

// waiting returns the waiting time of the thread that waited most.
func (s stopwatch) waiting() (longest time.Duration) {
	for thread, d := range waited() {
		longest = max(longest, d-s.waited[thread])
	}
	return longest
}

// waited returns for how long each thread was ready to run but had no processor. It is empty if the
// system is not Linux.
func waited() map[string]time.Duration {
	w := make(map[string]time.Duration)
	paths, _ := filepath.Glob("/proc/self/task/*/schedstat") // the pattern is valid
	for _, path := range paths {
		var ran, waited time.Duration
		text, err := os.ReadFile(path)
		if err != nil {
			continue // the thread has ended
		}
		if _, err := fmt.Sscan(string(text), &ran, &waited); err == nil {
			w[path] = waited
		}
	}
	return w
}
