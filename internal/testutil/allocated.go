package testutil

import (
	"runtime/metrics"
	"testing"
)

// Allocated returns about how many bytes do allocates, all goroutines included.
func Allocated(do func()) uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	before := s[0].Value.Uint64()
	do()
	metrics.Read(s)
	return s[0].Value.Uint64() - before
}

// SkipRaces skips a test of what is allocated where races are looked for: pools drop what they hold at random then.
func SkipRaces(t testing.TB) {
	t.Helper()
	if raceDetector {
		t.Skip("-race: pools drop what they hold, and it would be allocated again")
	}
}
