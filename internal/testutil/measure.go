package testutil

import (
	"fmt"
	"os"
	"runtime/metrics"
	"strings"
	"testing"
)

// DataDir returns the folder of real data sets, from the environment variable RKHS_DATA, and
// whether it is set. The path should be absolute, because tests run in the folder of their package.
func DataDir() (path string, ok bool) {
	path = os.Getenv("RKHS_DATA")
	return path, path != ""
}

// Long skips a test of some seconds, unless the environment variable RKHS_LONG is set, as in .ci/run.
// The reason gives the cost, or the tests that cover the code otherwise.
func Long(t testing.TB, reason string) {
	t.Helper()
	if !LongTests() {
		t.Skip(reason + "; runs with RKHS_LONG=1, as in .ci/run")
	}
}

// LongTests reports whether RKHS_LONG is set.
func LongTests() bool { return os.Getenv("RKHS_LONG") != "" }

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
