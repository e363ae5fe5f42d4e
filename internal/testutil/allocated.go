package testutil

import "runtime/metrics"

// Allocated returns about how many bytes do allocates, all goroutines included.
func Allocated(do func()) uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	before := s[0].Value.Uint64()
	do()
	metrics.Read(s)
	return s[0].Value.Uint64() - before
}
