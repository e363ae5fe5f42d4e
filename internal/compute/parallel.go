package compute

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Parallel calls do(i) for each i in [0, n) on at most workers goroutines. They fetch
// indices from one queue in ascending order. Parallel returns when all calls are done.
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

// Both calls first and second concurrently, each with half of the workers. With one
// worker it calls them in order.
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

// workersFor returns the number of workers for a task of the given number of
// multiplications. Small tasks use one, because starting a goroutine costs microseconds.
func workersFor(work, workers int) int {
	const few = 1 << 17
	if work < few {
		return 1
	}
	return Workers(workers)
}
