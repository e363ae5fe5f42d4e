package polk_test

import (
	"context"
	"testing"

	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/polk"
)

// What a fit of sparse rows allocates from beginning to end bounds what it ever holds, whenever garbage is
// collected. Steps that allocated what they compute took a thousand megabytes.
func TestSparseMemory(t *testing.T) {
	testutil.SkipRaces(t)
	if testing.Short() {
		t.Skip("-short: it fits 6000 rows")
	}
	x, labels := testutil.Words(6000, 50000, 50, 1)
	got := testutil.Allocated(func() {
		if _, err := polk.FitClassifier(context.Background(), x, labels, nil); err != nil {
			t.Fatal(err)
		}
	})
	t.Logf("%.1f MB", float64(got)/(1<<20))
	if got > 140<<20 {
		t.Errorf("%d bytes are allocated in all, want no more than 140 MB", got)
	}
}
