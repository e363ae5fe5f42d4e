package testutil

import (
	"os"
	"runtime"
	"sync"
	"testing"
	"time"
)

// TestStopwatch runs four threads per processor, so at least one waits most of the time.
func TestStopwatch(t *testing.T) {
	if _, err := os.Stat("/proc/self/schedstat"); err != nil {
		t.Skip("the system does not report how long threads wait")
	}
	threads := 4 * runtime.NumCPU()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	var spinning sync.WaitGroup
	spinning.Add(threads)
	start, w := time.Now(), newStopwatch()
	for range threads {
		go func() {
			defer spinning.Done()
			for time.Since(start) < 200*time.Millisecond {
			}
		}()
	}
	spinning.Wait()
	took := time.Since(start)
	if waited := w.waiting(); waited < took/4 || waited > took {
		t.Errorf("threads of a quarter of a processor each waited %v of %v", waited, took)
	}
}
