package testutil

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// DataDir returns the folder of real data sets, from the environment variable RKHS_DATA, and
// whether it is set. The path should be absolute, because tests run in the folder of their package.
func DataDir() (path string, ok bool) {
	path = os.Getenv("RKHS_DATA")
	return path, path != ""
}

// Allocated returns approximately how many bytes all goroutines allocate while do runs.
func Allocated(do func()) uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	before := s[0].Value.Uint64()
	do()
	metrics.Read(s)
	return s[0].Value.Uint64() - before
}

// SkipRaces skips a test of allocations under the race detector, where pools drop memory at random.
func SkipRaces(t testing.TB) {
	t.Helper()
	if raceDetector {
		t.Skip("-race: pools drop memory at random")
	}
}

// PeakMemory returns the largest resident size of the process so far in MiB, or 0 if the system
// does not report it.
func PeakMemory() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	kib := 0.0
	fmt.Sscan(peak, &kib)
	return kib / 1024
}

// AllocatesLittle checks that a fit of 6000 sparse rows allocates at most 115 MiB in total. This
// also bounds the memory in use, whenever the garbage collector runs.
func AllocatesLittle(t *testing.T, fit func(ctx context.Context, x, labels mat.Matrix) error) {
	t.Helper()
	SkipRaces(t)
	if testing.Short() {
		t.Skip("-short: it fits 6000 rows")
	}
	x, labels := words(6000, 50000, 50, 1)
	got := Allocated(func() {
		noError(t, fit(context.Background(), x, labels))
	})
	expect(t, got <= 115<<20, "the fit allocates %d bytes, want at most 115 MiB", got)
}

// words returns n sparse rows of d columns that resemble hashed texts: each row has perRow ones,
// and most are in few columns. The labels ±1 are a function of these columns.
func words(n, d, perRow int, seed uint64) (x *rkhs.Sparse, labels *mat.Dense) {
	random := rand.New(rand.NewPCG(seed, 0))
	x, labels = &rkhs.Sparse{Rows: n, Cols: d, Offsets: []int{0}}, mat.NewDense(n, 1, nil)
	for i := range n {
		var row []int32
		for len(row) < perRow {
			u := random.Float64()
			if j := int32(float64(d) * u * u * u); !slices.Contains(row, j) {
				row = append(row, j)
			}
		}
		slices.Sort(row)
		score := 0
		for _, j := range row {
			score += int(j%5) - 2
			x.Columns, x.Values = append(x.Columns, j), append(x.Values, 1)
		}
		x.Offsets = append(x.Offsets, len(x.Columns))
		labels.Set(i, 0, 1)
		if score < 0 {
			labels.Set(i, 0, -1)
		}
	}
	return x, labels
}
