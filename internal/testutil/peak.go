package testutil

import (
	"os"
	"regexp"
	"strconv"
)

// PeakMemory is the largest resident size of the process so far in MB, or 0 where the system
// does not tell.
func PeakMemory() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	m := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)
	if m == nil {
		return 0
	}
	kb, _ := strconv.ParseFloat(string(m[1]), 64)
	return kb / 1024
}
