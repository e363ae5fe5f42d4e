package features

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
)

// defaultColumns is the number of features of a block if Options do not say.
const defaultColumns = 2048

// maxColumns bounds what a block allocates; more features are more blocks.
const maxColumns = 1 << 24

// Options configures New. The zero value of each field means its default.
type Options struct {
	// Seed selects the random streams.
	Seed uint64
	// Columns is the number of features of a block, an even number up to 2²⁴;
	// kernels with finitely many features, and sums with such terms, may have fewer.
	// Default: 2048.
	Columns int
	// Sampler says how the parameters of a block are drawn. It must fit the kernel,
	// and every term of a sum whose features are random. Default: Auto.
	Sampler Sampler
	// Leverage, if not nil, makes the features depend on data. For kernels that are
	// no sum, with features of frequencies and no Fastfood: all of x − z, the skewed
	// kernels, the semigroup kernels and ArcCosine.
	Leverage *Leverage
	// Workers bounds the goroutines of a call. Default: GOMAXPROCS. It does not
	// change the result by a bit.
	Workers int
}

func (o Options) withDefaults() (Options, error) {
	if o.Columns == 0 {
		o.Columns = defaultColumns
	}
	if o.Columns < 2 || o.Columns > maxColumns || o.Columns%2 != 0 {
		return o, fmt.Errorf("features: Columns = %d, want an even number from 2 to %d: %w", o.Columns, maxColumns, rkhs.ErrOption)
	}
	if o.Workers < 0 {
		return o, fmt.Errorf("features: Workers = %d is negative: %w", o.Workers, rkhs.ErrOption)
	}
	return o, o.Sampler.check()
}
