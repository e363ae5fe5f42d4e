package testutil

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// waits is how long each thread of this process has been ready to run while others had the
// processors, where Linux tells.
type waits map[string]time.Duration

func waitsNow() waits {
	w := make(waits)
	paths, _ := filepath.Glob("/proc/self/task/*/schedstat") // the pattern is a good one
	for _, path := range paths {
		var ran, waited time.Duration
		text, err := os.ReadFile(path)
		if err != nil {
			continue // the thread has ended
		}
		if _, err := fmt.Sscan(string(text), &ran, &waited); err == nil {
			w[path] = waited
		}
	}
	return w
}

// since is how long the thread that waited the longest has waited since then.
func (w waits) since() time.Duration {
	var most time.Duration
	for thread, waited := range waitsNow() {
		most = max(most, waited-w[thread])
	}
	return most
}
