package testutil

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rkhs-go/rkhs"
)

// large cancels a fit of many rows after a second and a half. The fit must have reported within the
// first second, and must end within a second of cancellation. The time in which threads wait for a
// processor does not count, and one of three attempts suffices, because the machine may be busy.
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
	for attempt := 0; attempt < 3 && max(first, late) > second; attempt++ {
		first, late = l.cancelled(t, k, second)
	}
	if first > second {
		t.Errorf("no report within %v, the first after %v", second, first)
	}
	if late > second {
		t.Errorf("the fit ended %v after it was cancelled, want at most %v", late, second)
	}
}

// longTask returns a task that needs two seconds. It doubles LargeRows up to three times on a fast
// machine.
func (l Learner[O, M]) longTask(t testing.TB, second time.Duration) task {
	t.Helper()
	const doublings = 3
	var elapsed time.Duration
	for i := range doublings + 1 {
		k := newTask(l.LargeRows<<i, Inputs, l.Outputs, l.Labels)
		ctx, cancel := context.WithTimeout(context.Background(), 2*second)
		start := time.Now()
		l.Fit(ctx, k.x, k.y, l.options())
		elapsed = time.Since(start)
		cancel()
		if elapsed >= 2*second {
			return k
		}
	}
	t.Fatalf("the fit of %d times LargeRows needs %v, too little to be cancelled", 1<<doublings, elapsed)
	return task{}
}

// cancelled cancels a fit after a second and a half. It returns the time of the first report, and
// the time from cancellation to the end.
func (l Learner[O, M]) cancelled(t testing.TB, k task, second time.Duration) (first, late time.Duration) {
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
		if ctx.Err() == nil {
			t.Fatalf("the fit needs %v, too little to be cancelled (error %v)", time.Since(start.began), err)
		}
		late = (<-end).elapsed()
		l.usable(t, k, m, err, context.Canceled)
	})
	return first, late
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
