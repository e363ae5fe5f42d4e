package compute

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// clock returns wall time, or with BENCH_CLOCK=cpu the time that the processor
// spent on this process: what others do on the machine does not count then, nor
// does waiting of one worker for another.
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
