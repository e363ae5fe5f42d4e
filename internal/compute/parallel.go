package compute

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Parallel calls do(i) for i in [0, n) on at most workers goroutines that take
// the indices from one queue in ascending order. It returns when all are done.
func Parallel(n, workers int, do func(i int)) {
	workers = min(Workers(workers), n)
	if workers <= 1 {
		for i := range n {
			do(i)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	work := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			do(i)
		}
	}
	for range workers - 1 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			work()
		}()
	}
	work()
	wg.Wait()
}

// Both does two things at a time, each on half of the workers, or one after the other where there is
// one worker.
func Both(workers int, first, second func(workers int)) {
	workers = Workers(workers)
	half := max(1, workers/2)
	Parallel(2, workers, func(i int) {
		if i == 0 {
			first(max(1, workers-half))
		} else {
			second(half)
		}
	})
}

// Workers returns n if it is positive and GOMAXPROCS otherwise.
func Workers(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// workersFor returns how many workers a task of so many multiplications is
// worth: goroutines take microseconds to start.
func workersFor(work, workers int) int {
	const few = 1 << 17
	if work < few {
		return 1
	}
	return Workers(workers)
}
