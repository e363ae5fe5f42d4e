package testutil

import (
	"context"
	"errors"
	"math"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/rkhs-go/rkhs"
)

// leavesNothing reports goroutines that do leaves behind.
func leavesNothing(t testing.TB, do func()) {
	t.Helper()
	before := goleak.IgnoreCurrent()
	do()
	if err := goleak.Find(before); err != nil {
		t.Error(err)
	}
}

// usable asks of a fit that ended early for its error and for a model that
// predicts and can be saved.
func (l Learner[O, M]) usable(t testing.TB, k task, m M, err, want error) {
	t.Helper()
	if s := (refusal{err: want}).wrong(l.Package, err); s != "" {
		t.Error(s)
	}
	if reflect.ValueOf(m).IsNil() {
		t.Errorf("no model with the error %v", err)
		return
	}
	p := predict(t, m, k.testX)
	dst := l.Empty()
	checkFile(t, m, dst)
	if !identical(predict(t, dst, k.testX), p) {
		t.Error("the loaded model predicts other bits")
	}
}

func (l Learner[O, M]) limit(t testing.TB) {
	if l.Limit == nil {
		return
	}
	k := l.task()
	leavesNothing(t, func() {
		opts := l.options()
		l.Limit(opts)
		m, err := l.Fit(context.Background(), k.x, k.y, opts)
		l.usable(t, k, m, err, rkhs.ErrNotConverged)
	})
}

func (l Learner[O, M]) cancelledBefore(t testing.TB) {
	k := l.task()
	leavesNothing(t, func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		m, err := l.Fit(ctx, k.x, k.y, l.options())
		l.usable(t, k, m, err, context.Canceled)
		gone := errors.New("gone")
		caused, cancelCause := context.WithCancelCause(context.Background())
		cancelCause(gone)
		m, err = l.Fit(caused, k.x, k.y, l.options())
		l.usable(t, k, m, err, context.Canceled)
		l.usable(t, k, m, err, gone)
		late, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
		defer cancel()
		m, err = l.Fit(late, k.x, k.y, l.options())
		l.usable(t, k, m, err, context.DeadlineExceeded)
	})
}

// watch is a Recorder that acts at one report and counts those after it.
type watch struct {
	at  int
	act func() error

	busy, seen atomic.Int32
	mu         sync.Mutex
	calls      int
	after      int
	concurrent bool
	backwards  bool
	beyond     bool
	last       time.Duration
}

func (w *watch) Record(p rkhs.Progress) error {
	alone := w.busy.Add(1) == 1
	defer w.busy.Add(-1)
	if w.seen.Add(1) <= 100 {
		time.Sleep(time.Microsecond) // room for a second goroutine to come in
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.concurrent = w.concurrent || !alone
	w.backwards = w.backwards || p.Elapsed < w.last || p.Iteration < 0 || p.ModelOrder < 0
	w.beyond = w.beyond || p.Done < 0 || p.Total < 0 || p.Total > 0 && p.Done > p.Total
	w.last = p.Elapsed
	w.calls++
	switch {
	case w.at == 0 || w.calls < w.at:
		return nil
	case w.calls == w.at:
		return w.act()
	}
	w.after++
	return nil
}

// reports counts the reports of a whole fit.
func (l Learner[O, M]) reports(t testing.TB, k task) int {
	t.Helper()
	w := new(watch)
	l.fitWith(t, k.x, k.y, l.set(0, 2, w))
	if w.calls == 0 {
		t.Fatal("the Recorder was not called")
	}
	return w.calls
}

// stops are the reports of n at which a fit is told to stop.
func stops(n int) []int { return []int{1, max(1, n/3), max(1, n/2), n} }

func (l Learner[O, M]) recorderStops(t testing.TB) {
	k := l.task()
	stop := errors.New("stop here")
	for _, at := range stops(l.reports(t, k)) {
		leavesNothing(t, func() {
			w := &watch{at: at, act: func() error { return stop }}
			m, err := l.Fit(context.Background(), k.x, k.y, l.set(0, 2, w))
			l.usable(t, k, m, err, stop)
			if w.after > 0 {
				t.Errorf("the Recorder was called %d times after it returned an error", w.after)
			}
		})
	}
}

// cancelledDuring lets a fit that is cancelled at its last report succeed.
func (l Learner[O, M]) cancelledDuring(t testing.TB) {
	k := l.task()
	n := l.reports(t, k)
	for _, at := range stops(n) {
		leavesNothing(t, func() {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			w := &watch{at: at, act: func() error { cancel(); return nil }}
			m, err := l.Fit(ctx, k.x, k.y, l.set(0, 2, w))
			if err == nil && at == n {
				return
			}
			l.usable(t, k, m, err, context.Canceled)
		})
	}
}

// large cancels a fit of many rows after a second and a half. Within the first it must
// have reported, and within one more it must end, less what its threads wait for a processor: of
// three attempts one is enough, as others may be at work on the machine.
func (l Learner[O, M]) large(t testing.TB) {
	if l.LargeRows == 0 || testing.Short() {
		return
	}
	second := l.second
	if second == 0 {
		second = time.Second
	}
	k := l.longTask(t, second)
	first, late := second+1, second+1
	for attempt := 0; attempt < 3 && (first > second || late > second); attempt++ {
		first, late = l.cancelled(t, k, second)
	}
	if first > second {
		t.Errorf("no report within %v, the first after %v", second, first)
	}
	if late > second {
		t.Errorf("the fit ended %v after it was cancelled, want at most %v", late, second)
	}
}

// longTask returns one whose fit takes long enough to be cancelled, with more rows than
// LargeRows on a machine that is fast.
func (l Learner[O, M]) longTask(t testing.TB, second time.Duration) task {
	t.Helper()
	const doublings = 3
	var took time.Duration
	for rows := range doublings + 1 {
		k := taskOfRows(l.LargeRows<<rows, Inputs, l.Outputs, l.Labels)
		ctx, cancel := context.WithTimeout(context.Background(), 2*second)
		start := time.Now()
		l.Fit(ctx, k.x, k.y, l.options())
		took = time.Since(start)
		cancel()
		if took >= 2*second {
			return k
		}
	}
	t.Fatalf("the fit took %v, too little to be cancelled, of %d times LargeRows", took, 1<<doublings)
	return task{}
}

// cancelled cancels a fit after three halves of a second. It returns when the first report
// came, and how long after the end was asked for the fit ended.
func (l Learner[O, M]) cancelled(t testing.TB, k task, second time.Duration) (first, late time.Duration) {
	leavesNothing(t, func() {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		start, waiting := time.Now(), waitsNow()
		first = math.MaxInt64
		opts := l.set(0, 0, rkhs.RecorderFunc(func(rkhs.Progress) error {
			if first == math.MaxInt64 {
				first = time.Since(start) - waiting.since()
			}
			return nil
		}))
		var asked time.Time
		waitingToEnd := make(chan waits, 1)
		defer time.AfterFunc(second*3/2, func() {
			asked = time.Now()
			waitingToEnd <- waitsNow()
			cancel()
		}).Stop()
		m, err := l.Fit(ctx, k.x, k.y, opts)
		if ctx.Err() == nil {
			t.Fatalf("the fit took %v, less than before, too little to be cancelled (error %v)", time.Since(start), err)
		}
		waiting = <-waitingToEnd
		late = time.Since(asked) - waiting.since()
		l.usable(t, k, m, err, context.Canceled)
	})
	return first, late
}

// recorder asks for reports from one goroutine at a time, in order of time, and
// for the same model as without.
func (l Learner[O, M]) recorder(t testing.TB) {
	k := l.task()
	w := new(watch)
	leavesNothing(t, func() {
		m := l.fitWith(t, k.x, k.y, l.set(0, 8, w))
		silent := l.fitWith(t, k.x, k.y, l.set(0, 8, nil))
		if !identical(predict(t, m, k.testX), predict(t, silent, k.testX)) {
			t.Error("the Recorder changes the model")
		}
	})
	if w.concurrent {
		t.Error("Record was called from two goroutines at a time")
	}
	if w.backwards {
		t.Error("a report is older than the one before it, or counts below 0")
	}
	if w.beyond {
		t.Error("a report says that more is done than there is")
	}
}
