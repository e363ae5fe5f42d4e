package polk

import (
	"os"
	"runtime"
	"testing"

	"github.com/rkhs-go/rkhs/loss"
)

// Ten million single points in the plane need an hour at nearly 3000 per second. Memory and
// dictionary must not grow after the first tenth.
func TestTenMillionSingles(t *testing.T) {
	if os.Getenv("RKHS_PAPERS") == "" {
		t.Skip("takes half a minute; RKHS_PAPERS is not set")
	}
	l, next := singles(t, loss.MulticlassHinge{}, 2.8)
	const tenth = 1000000
	var first uint64
	order := 0
	for i := range 10 {
		for range tenth {
			next()
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		t.Logf("%8d points seen: %d in the dictionary, %.0f kB in use, %d mistakes", l.Report().Totals.Rows, l.stream.descent.f.order(), float64(m.HeapAlloc)/1024, l.Report().Totals.Mistakes)
		if i == 0 {
			first, order = m.HeapAlloc, l.stream.descent.f.order()
		}
		if m.HeapAlloc > first+1<<16 || l.stream.descent.f.order() > 2*order {
			t.Fatalf("%d bytes in use and %d points, after the first tenth %d and %d", m.HeapAlloc, l.stream.descent.f.order(), first, order)
		}
	}
	checkExpansion(t, l.stream.descent.f.dictionary, 1e-10, 1e-5)
}
