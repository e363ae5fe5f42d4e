//go:build !linux

package compute

import "time"

var epoch = time.Now()

// clock returns wall time.
func clock() time.Duration { return time.Since(epoch) }
