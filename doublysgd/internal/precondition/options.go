package precondition

import (
	"cmp"
	"fmt"

	"github.com/rkhs-go/rkhs/doublysgd/internal/batches"
	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/centres"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/kernel"
)

// Options is what the tasks have in common.
type Options struct {
	Package                string // with which errors begin
	Kernel                 kernel.Kernel
	Sampler                features.Sampler
	MaxPoints              int // the largest number of centres
	Features, Columns      int
	CacheSize, MemoryLimit int64
	Seed                   uint64
	Workers                int
}

const (
	defaultCentres  = 1000
	defaultColumns  = 1024
	defaultFeatures = 32768
	// Negligible is the fraction of nu below which what the centres leave of k(x, x)
	// changes no digit that matters.
	Negligible = 1e-5
)

// Check returns rkhs.ErrOption for what is out of range.
func (o *Options) Check() error {
	return door.Ranges(o.Package, []door.Field{
		{Name: "MaxPoints", Value: float64(o.MaxPoints), OK: o.MaxPoints >= 0},
		{Name: "Features", Value: float64(o.Features), OK: batches.InSize(o.Features)},
		{Name: "Columns", Value: float64(o.Columns), OK: batches.InSize(o.Columns) && o.Columns%2 == 0},
		{Name: "CacheSize", Value: float64(o.CacheSize), OK: o.CacheSize >= 0},
		{Name: "MemoryLimit", Value: float64(o.MemoryLimit), OK: o.MemoryLimit >= 0},
		{Name: "Workers", Value: float64(o.Workers), OK: o.Workers >= 0},
	})
}

// Default returns the options with what is not given.
func (o Options) Default() Options {
	o.MaxPoints = cmp.Or(o.MaxPoints, defaultCentres)
	o.Columns = cmp.Or(o.Columns, defaultColumns)
	o.Features = cmp.Or(o.Features, defaultFeatures)
	o.CacheSize = cmp.Or(o.CacheSize, blocks.DefaultCache)
	o.MemoryLimit = cmp.Or(o.MemoryLimit, door.DefaultMemory)
	return o
}

// checkMemory returns rkhs.ErrMemory if the centres and so many other columns at all
// rows are too large.
func (o *Options) checkMemory(rows, columns int) error {
	n := min(o.MaxPoints, rows, centres.CandidateRows)
	return door.Memory(o.Package, fmt.Sprintf("%d rows and %d centres", rows, n), 8*float64(rows)*float64(n+columns), o.MemoryLimit)
}
