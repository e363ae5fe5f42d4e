package novelty

import (
	"cmp"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/features"
	engine "github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
)

// pkg begins the errors of this package.
const pkg = "novelty"

// Options configures Fit and NewLearner, each of which refuses what only the other
// uses. The zero value of each field means its default; nil means all defaults.
type Options struct {
	// Fraction is the fraction nu of the rows that may lie outside, in (0, 1).
	// Default: 0.1.
	Fraction float64
	// Kernel is the kernel. Default: kernel.Gaussian, whose Sigma is the median
	// distance of up to 1000 rows. Where the spreads of columns, between the quantiles of 5
	// and 95 %, differ by a factor of more than 1000, their units have nothing to do with each
	// other: a kernel.ARD then divides each column by its standard deviation.
	Kernel kernel.Kernel

	// MaxPoints is the largest number of centres of Fit. Default: 1000.
	MaxPoints int
	// Features bounds the number of random features, in Fit of what the centres leave of
	// the kernel, and Columns is that of one block. Later steps go back to the blocks
	// from the first on. Default: 32768, and 1024 or, in a learner, 256.
	Features, Columns int
	// Batch is the number of rows of a step of a learner. Default: 64.
	Batch int
	// Sampler says how the parameters of a block are drawn.
	Sampler features.Sampler
	// Iterations bounds the number of steps of Fit. Default: 500.
	Iterations int
	// Tolerance is the relative error, as the report gives it, at which Fit ends. If it is
	// given and not reached, the error is rkhs.ErrNotConverged. Default: 0.01.
	Tolerance float64

	// CacheSize bounds the bytes of features that are kept for a second use within
	// a step; others are computed again. Default: 256 MiB.
	CacheSize int64
	// MemoryLimit bounds the bytes that Fit may allocate, and those that a learner with
	// all Features may hold. Default: 4 GiB.
	MemoryLimit int64
	// Seed selects the random streams: centres and features.
	Seed uint64
	// Workers bounds the goroutines. Default: GOMAXPROCS. It does not change the
	// result by a bit.
	Workers int
	// Recorder, if not nil, receives the progress of Fit: phase "centres" counts centres; in
	// "fit" Iteration counts steps, Objective is that of the problem, ModelOrder the number
	// of centres, Gap the error of the report.
	Recorder rkhs.Recorder
}

const (
	defaultFraction   = 0.1
	defaultIterations = 500
	defaultTolerance  = 0.01
	defaultBatch      = 64
)

// checked returns a copy of the options, of which all are in range.
func (o *Options) checked() (Options, error) {
	if o == nil {
		o = new(Options)
	}
	c := *o
	if err := input.Ranges(pkg, []input.Field{
		{Name: "Fraction", Value: c.Fraction, OK: c.Fraction >= 0 && c.Fraction < 1},
		{Name: "Iterations", Value: float64(c.Iterations), OK: c.Iterations >= 0},
		{Name: "Tolerance", Value: c.Tolerance, OK: c.Tolerance >= 0 && c.Tolerance < 1},
	}); err != nil {
		return c, err
	}
	config := c.config()
	return c, config.Check()
}

// config returns what Fit and the steps of a learner go by.
func (o *Options) config() descent.Config {
	return descent.Config{Package: pkg, Kernel: o.Kernel, Sampler: engine.Sampler(o.Sampler), MaxPoints: o.MaxPoints, Features: o.Features, Columns: o.Columns,
		Batch: cmp.Or(o.Batch, defaultBatch), Ridge: cmp.Or(o.Fraction, defaultFraction),
		CacheSize: cmp.Or(o.CacheSize, blocks.DefaultCache), MemoryLimit: cmp.Or(o.MemoryLimit, input.DefaultMemory), Seed: o.Seed, Workers: o.Workers}
}

// refuse returns rkhs.ErrOption for an option that only the other of Fit and a learner
// uses.
func (o *Options) refuse(learner bool) error {
	if !learner {
		return input.Refuse(pkg, "Fit", []input.Unused{{Name: "Batch", Set: o.Batch > 0}})
	}
	return input.Refuse(pkg, "a learner", []input.Unused{
		{Name: "MaxPoints", Set: o.MaxPoints > 0}, {Name: "Iterations", Set: o.Iterations > 0},
		{Name: "Tolerance", Set: o.Tolerance > 0}, {Name: "Recorder", Set: o.Recorder != nil},
	})
}
