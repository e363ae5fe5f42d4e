package compute

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// clock returns wall time. With BENCH_CLOCK=cpu it returns the CPU time of the process, which
// excludes other processes and workers that wait for each other.
func clock() time.Duration {
	id := int32(unix.CLOCK_MONOTONIC)
	if os.Getenv("BENCH_CLOCK") == "cpu" {
		id = unix.CLOCK_PROCESS_CPUTIME_ID
	}
	var t unix.Timespec
	if err := unix.ClockGettime(id, &t); err != nil {
		panic(err)
	}
	return time.Duration(t.Nano())
}
