package metric

import (
	"cmp"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/search"
)

const pkg = "metric"

// Options configures the search. Nil and zero values select the defaults.
type Options struct {
	// Rows is the number of random rows of the search, at least 60. One half is for training and one
	// for comparison. The time grows with its cube. Default: 2000.
	Rows int
	// Rank is the largest number of rows of a learned matrix L, the leading directions of the
	// gradients. Default: full rank up to 200 columns, and otherwise only weights of the columns.
	Rank int
	// MemoryLimit limits the memory of the search in bytes, in addition to the data. It reduces the
	// rows of the search, which Result.Rows reports; below 60 rows the error is rkhs.ErrMemory.
	// Default: 4 GiB.
	MemoryLimit int64
	// Seed selects the rows.
	Seed uint64
	// Workers limits the goroutines. It does not change the result. Default: GOMAXPROCS.
	Workers int
	// Recorder, if not nil, receives the progress in phase "search". Objective and Gap are NaN.
	Recorder rkhs.Recorder
}

// search checks the options and returns the options of the search.
func (o *Options) search() (search.Options, error) {
	var s Options
	if o != nil {
		s = *o
	}
	err := input.Ranges(pkg, []input.Field{
		{Name: "Rows", Value: float64(s.Rows), OK: s.Rows == 0 || s.Rows >= search.FewestMetricRows},
		{Name: "Rank", Value: float64(s.Rank), OK: s.Rank >= 0},
		{Name: "MemoryLimit", Value: float64(s.MemoryLimit), OK: s.MemoryLimit >= 0},
		{Name: "Workers", Value: float64(s.Workers), OK: s.Workers >= 0},
	})
	return search.Options{Linear: true, Rows: s.Rows, Rank: s.Rank, Seed: s.Seed, Workers: s.Workers,
		MemoryLimit: cmp.Or(s.MemoryLimit, input.DefaultMemory)}, err
}

// recorder returns the Recorder, or nil.
func (o *Options) recorder() rkhs.Recorder {
	if o == nil {
		return nil
	}
	return o.Recorder
}
