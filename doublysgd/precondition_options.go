package doublysgd

import (
	"cmp"
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/kernel"
)

// preconditionOptions is what the tasks have in common.
type preconditionOptions struct {
	kernel            kernel.Kernel
	sampler           features.Sampler
	centres           int
	features, columns int
	cache, memory     int64
	seed              uint64
	workers           int
	recorder          rkhs.Recorder
}

const (
	defaultCentres     = 1000
	defaultRestColumns = 1024
	defaultRest        = 32768
	// restNegligible is the fraction of nu below which what the centres leave of
	// k(x, x) changes no digit that matters.
	restNegligible = 1e-5
)

// check sets what is not given.
func (o *preconditionOptions) check() error {
	err := checkRanges([]ranged{
		{"Centres", float64(o.centres), o.centres >= 0},
		{"Features", float64(o.features), inSize(o.features)},
		{"Columns", float64(o.columns), inSize(o.columns) && o.columns%2 == 0},
		{"CacheSize", float64(o.cache), o.cache >= 0},
		{"MemoryLimit", float64(o.memory), o.memory >= 0},
		{"Workers", float64(o.workers), o.workers >= 0},
	})
	o.centres = cmp.Or(o.centres, defaultCentres)
	o.columns = cmp.Or(o.columns, defaultRestColumns)
	o.features = cmp.Or(o.features, defaultRest)
	o.cache = cmp.Or(o.cache, defaultCache)
	o.memory = cmp.Or(o.memory, defaultMemory)
	return err
}

// checkMemory returns rkhs.ErrMemory if the centres and so many other columns at all
// rows are too large, with more bytes beside them.
func (o *preconditionOptions) checkMemory(rows, columns int, more int64) error {
	centres := min(o.centres, rows, candidateRows)
	need := 8*int64(rows)*int64(centres+columns) + more
	if need > o.memory {
		return fmt.Errorf("doublysgd: %d rows and %d centres take %s, MemoryLimit is %s: %w", rows, centres, mebibytes(need), mebibytes(o.memory), rkhs.ErrMemory)
	}
	return nil
}
