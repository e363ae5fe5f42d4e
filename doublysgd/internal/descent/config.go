package descent

import (
	"cmp"
	"fmt"

	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
)

// Config holds the options that all tasks share.
type Config struct {
	Package string        // the prefix of errors
	Kernel  kernel.Kernel // or nil for the Gaussian of the median distance
	Sampler features.Sampler
	// Newton selects steps of Newton's method, each with its own ridge. Otherwise steps are
	// stochastic gradients.
	Newton bool
	// LastIterate disables the average of the iterates of stochastic gradients.
	LastIterate bool
	// Features, Columns and Batch are the numbers of all features, of features of a block and
	// of rows of a step, or 0 for the default.
	Features, Columns, Batch int
	// MaxPoints is the largest number of centres of a batch fit, or 0 for the default. Streams
	// have no centres.
	MaxPoints              int
	Ridge                  float64 // nu, or 0 for the default
	CacheSize, MemoryLimit int64
	Seed                   uint64
	Workers                int
}

const (
	// The default numbers of features of gradient and Newton steps. Half of the features with twice
	// the visits have the same error.
	defaultFeatures, newtonFeatures = 32768, 16384
	// largestRidge is the largest weight of the squared norm.
	largestRidge = 1e6
	// largestSize bounds numbers of features and rows, so that their multiples do not overflow.
	largestSize = 1 << 30
)

// Check returns rkhs.ErrOption if an option is out of range.
func (c *Config) Check() error {
	return input.Ranges(c.Package, []input.Field{
		{Name: "MaxPoints", Value: float64(c.MaxPoints), OK: c.MaxPoints >= 0},
		{Name: "Features", Value: float64(c.Features), OK: inSize(c.Features)},
		{Name: "Columns", Value: float64(c.Columns), OK: inSize(c.Columns) && c.Columns%2 == 0},
		{Name: "Batch", Value: float64(c.Batch), OK: inSize(c.Batch)},
		{Name: "Ridge", Value: c.Ridge, OK: c.Ridge >= 0 && c.Ridge <= largestRidge},
		{Name: "CacheSize", Value: float64(c.CacheSize), OK: c.CacheSize >= 0},
		{Name: "MemoryLimit", Value: float64(c.MemoryLimit), OK: c.MemoryLimit >= 0},
		{Name: "Workers", Value: float64(c.Workers), OK: c.Workers >= 0},
	})
}

// inSize reports whether n is a valid number of features or rows.
func inSize(n int) bool { return n >= 0 && n <= largestSize }

// Sizes returns the number of features of a block and the rows of a step for n rows.
func (c *Config) Sizes(n int) (columns, batch int) {
	batch = 256
	columns = min(256, RoundUp(2*n, 64))
	if c.Newton {
		columns = min(512, max(RoundUp(n/16, 64), 64))
	}
	if columns = c.Width(columns); c.Newton {
		batch = 4 * columns
	}
	return columns, min(cmp.Or(c.Batch, batch), max(n/2, 1))
}

// Width returns the number of features of a block, given its default.
func (c *Config) Width(columns int) int {
	switch {
	case c.Columns > 0:
		return c.Columns
	case c.Features > 0:
		return min(columns, RoundUp(c.Features, 2))
	}
	return columns
}

// RoundUp returns the smallest multiple of multiple that is at least n.
func RoundUp(n, multiple int) int { return (n + multiple - 1) / multiple * multiple }

// Blocks returns the largest number of blocks of the given columns.
func (c *Config) Blocks(columns int) int {
	most := defaultFeatures
	if c.Newton {
		most = newtonFeatures
	}
	return max(1, (cmp.Or(c.Features, most)+columns-1)/columns)
}

// Zero returns f = 0 in blocks of the given columns.
func (c *Config) Zero(k kernel.Kernel, inputs, outputs, columns int) (*blocks.Function, error) {
	o := features.Options{Seed: c.Seed, Columns: columns, Sampler: c.Sampler, Workers: c.Workers}
	f, err := blocks.Zero(k, inputs, outputs, o, c.CacheSize)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Package, err)
	}
	return f, nil
}

// Needs determines the memory of steps.
type Needs struct {
	Columns, Batch int
	Blocks         float64 // at most
	Outputs        int
	Rows           int  // with scores in memory
	Stream         bool // a failed update leaves the learner unchanged
}

// CheckMemory returns rkhs.ErrMemory if steps of these sizes exceed MemoryLimit.
func (c *Config) CheckMemory(z Needs) error {
	name := fmt.Sprintf("steps on batches of %d rows in %.0f blocks of %d features for %d outputs", z.Batch, z.Blocks, z.Columns, z.Outputs)
	return input.Memory(c.Package, name, c.bytes(z), c.MemoryLimit)
}

// bytes counts coefficients, scores, features of two batches and, for Newton steps, normal
// equations. Floating point avoids overflow.
func (c *Config) bytes(z Needs) float64 {
	m, q := float64(z.Columns), float64(z.Outputs)
	sets := 1.0
	if c.averages() {
		sets = 2 // of the iterate and of the average
	}
	if z.Stream {
		sets *= 2
	}
	numbers := sets*z.Blocks*m*q + float64(z.Rows)*q + m*max(2*float64(z.Batch), float64(min(z.Rows, blocks.ChunkRows)))
	if c.Newton {
		numbers += m * (m + 3*q) // the square; right side, solution, best solution
	}
	return 8 * numbers
}

func (c *Config) averages() bool { return !c.Newton && !c.LastIterate }

// Encode writes c except Package, Workers and MaxPoints.
func (c *Config) Encode(e *codec.Encoder) error {
	e.Bool(c.Kernel != nil)
	if c.Kernel != nil {
		if err := e.Nested(kernel.Marshal(c.Kernel)); err != nil {
			return err
		}
	}
	for _, v := range []int{int(c.Sampler), c.Features, c.Columns, c.Batch, int(c.CacheSize), int(c.MemoryLimit)} {
		e.Int(v)
	}
	e.Bool(c.Newton)
	e.Bool(c.LastIterate)
	e.Float64(c.Ridge)
	e.Uint64(c.Seed)
	return nil
}

// decodeConfig reads a Config without validation.
func decodeConfig(d *codec.Decoder) (c Config) {
	if d.Bool() {
		c.Kernel = codec.Nested(d, kernel.Unmarshal)
	}
	c.Sampler = codec.Enum[features.Sampler](d, 255)
	c.Features, c.Columns, c.Batch = d.Int(), d.Int(), d.Int()
	c.CacheSize, c.MemoryLimit = int64(d.Int()), int64(d.Int())
	c.Newton, c.LastIterate, c.Ridge, c.Seed = d.Bool(), d.Bool(), d.Finite(), d.Uint64()
	return c
}
