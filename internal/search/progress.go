package search

import (
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/progress"
)

// searchTotal is the total of the progress reports.
const searchTotal = 1000

// WithMonitor returns the options with a monitor that can stop the search and receives its
// progress in the phase "search", in thousandths of the work.
func (o Options) WithMonitor(m *progress.Monitor) Options {
	o.Stopped = m.Stopped
	o.Progress = func(done, total float64) {
		at := 0
		if total > 0 {
			at = int(searchTotal * done / total)
		}
		m.Report(rkhs.Progress{Phase: "search", Done: at, Total: searchTotal, Iteration: at, Objective: math.NaN(), Gap: math.NaN()})
	}
	return o
}
