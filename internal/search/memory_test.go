package search

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/testutil"
)

// peakOf returns the increase of the peak memory while do runs, with an aggressive garbage
// collector.
func peakOf(do func()) float64 {
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	runtime.GC()
	inUse := func() int64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	var peak int64
	var finished atomic.Bool
	before, over := inUse(), make(chan bool)
	go func() {
		defer close(over)
		for ; !finished.Load(); time.Sleep(200 * time.Microsecond) {
			peak = max(peak, inUse()-before)
		}
	}()
	do()
	finished.Store(true)
	<-over
	return float64(peak)
}

// TestMemoryIsCounted compares the memory of a search with its estimate, with and without
// the comparison on more rows. The estimate must be an upper bound, within a small factor,
// since no sample reaches the worst case.
func TestMemoryIsCounted(t *testing.T) {
	testutil.Long(t, "twelve seconds: of fewer rows what counts does not stand out")
	for _, c := range []struct {
		n, d    int
		enlarge bool
	}{{800, 8, false}, {300, 150, false}, {1000, 600, false}, {2400, 12, true}} {
		s := rng.New(3, "memory", 0)
		x, y := compute.NewMatrix(c.n, c.d), compute.NewMatrix(c.n, 1)
		for i := range x.Data {
			x.Data[i] = s.NormFloat64()
		}
		for i := range c.n {
			y.Data[i] = x.Data[i*c.d]*x.Data[i*c.d+1] + x.Data[i*c.d+2]
		}
		o := Options{Linear: true, Rescore: c.enlarge, Rows: 800, Workers: 2}
		used := peakOf(func() { Tune(compute.DensePoints(x), y, nil, o) })
		rows := min(c.n, 800)
		counted := o.bytes(sizesOf(rows), c.d, 1, 2)
		if c.enlarge {
			counted = max(counted, o.rescoringBytes(2*c.n/3, c.n-2*c.n/3, rows, c.d, 1))
		}
		t.Logf("%d×%d: %.1f of %.1f MiB", c.n, c.d, used/(1<<20), counted/(1<<20))
		if used > 1.1*counted+(4<<20) || used < counted/3 {
			t.Errorf("%d×%d: %.1f MiB in use at a time, %.1f are counted", c.n, c.d, used/(1<<20), counted/(1<<20))
		}
	}
}
