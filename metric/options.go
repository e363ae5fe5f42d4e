package metric

import (
	"cmp"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/door"
)

// pkg begins the errors of this package.
const pkg = "metric"

// Options configures the search. The zero value of each field means its default; nil
// means all defaults.
type Options struct {
	// Rows is the number of rows, drawn at random, that the search looks at, at least 60:
	// it learns from a half and compares on the other. Default: 2000. The time grows with
	// its cube up to there, and with its square times the columns.
	Rows int
	// Rank, if given, is the number of rows of a matrix that is learned, at most: L takes the
	// leading directions of the gradients alone. Default: as many as columns up to 200 of these,
	// and no matrix of more, which weights of the columns serve as a rule.
	Rank int
	// MemoryLimit bounds the bytes that a search uses at a time, beside the data and what the
	// garbage collector has yet to take back. Default: 4 GiB. Where it has no room for so many Rows fewer are looked at, of which Result.Rows
	// tells, and if not even for 60, the error is rkhs.ErrMemory.
	MemoryLimit int64
	// Seed selects the rows.
	Seed uint64
	// Workers bounds the goroutines. Default: GOMAXPROCS. It does not change the result
	// by a bit.
	Workers int
	// Recorder, if not nil, receives the progress in the phase "search". Objective and Gap
	// are NaN.
	Recorder rkhs.Recorder
}

// search returns the options of the search.
func (o *Options) search() (choose.Options, error) {
	var s Options
	if o != nil {
		s = *o
	}
	err := door.Ranges(pkg, []door.Field{
		{Name: "Rows", Value: float64(s.Rows), OK: s.Rows == 0 || s.Rows >= choose.FewestMetricRows},
		{Name: "Rank", Value: float64(s.Rank), OK: s.Rank >= 0},
		{Name: "MemoryLimit", Value: float64(s.MemoryLimit), OK: s.MemoryLimit >= 0},
		{Name: "Workers", Value: float64(s.Workers), OK: s.Workers >= 0},
	})
	return choose.Options{Linear: true, Rows: s.Rows, Rank: s.Rank, MemoryLimit: cmp.Or(s.MemoryLimit, door.DefaultMemory), Seed: s.Seed, Workers: s.Workers}, err
}

// recorder returns that of the options, or nil.
func (o *Options) recorder() rkhs.Recorder {
	if o == nil {
		return nil
	}
	return o.Recorder
}
