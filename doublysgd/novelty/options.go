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

// pkg is the prefix of error messages.
const pkg = "novelty"

// Options configures Fit and NewLearner. The zero value of each field selects its default;
// nil options select all defaults. An option that has no effect is an error.
type Options struct {
	// Nu is nu in (0, 1), the maximum fraction of novel training rows. Default: 0.1.
	Nu float64
	// Kernel is the kernel. Default: kernel.Gaussian with the median distance of up to 1000
	// rows. If the 5–95 % ranges of the columns differ by a factor of more than 1000, it is a
	// kernel.ARD that also divides each column by its standard deviation.
	Kernel kernel.Kernel

	// MaxPoints is the maximum number of landmarks in Fit. Default: 1000.
	MaxPoints int
	// Features is the maximum number of random features; Columns is the size of one block. Fit
	// uses features only for the residual of the kernel. After the last block, steps continue
	// with the first. Default: 32768 features in blocks of 1024, or 256 in a learner.
	Features, Columns int
	// Batch is the number of rows in a step of a learner. Default: 64.
	Batch int
	// Sampler is the distribution of the parameters of a block.
	Sampler features.Sampler
	// Iterations is the maximum number of steps of Fit. Default: 500.
	Iterations int
	// Tolerance is the relative error, as defined by Report.Error, at which Fit stops. If it
	// is given and not reached, the error is rkhs.ErrNotConverged. Default: 0.01.
	Tolerance float64

	// CacheSize bounds the bytes of features cached for reuse within a step. Default: 256 MiB.
	CacheSize int64
	// MemoryLimit bounds the bytes that a fit may allocate, and the bytes of a learner with all
	// Features. Default: 4 GiB.
	MemoryLimit int64
	// Seed selects the random streams for landmarks and features.
	Seed uint64
	// Workers bounds the goroutines. It does not change the result by a bit. Default:
	// GOMAXPROCS.
	Workers int
	// Recorder, if not nil, receives the progress of Fit. Phase "centres" counts landmarks.
	// Phase "fit" reports the steps in Iteration, the Objective, the number of landmarks in
	// ModelOrder and the error in Gap.
	Recorder rkhs.Recorder
}

const (
	defaultNu         = 0.1
	defaultIterations = 500
	defaultTolerance  = 0.01
	defaultBatch      = 64
)

// checked validates a copy of the options.
func (o *Options) checked() (Options, error) {
	if o == nil {
		o = new(Options)
	}
	c := *o
	if err := input.Ranges(pkg, []input.Field{
		{Name: "Nu", Value: c.Nu, OK: c.Nu >= 0 && c.Nu < 1},
		{Name: "Iterations", Value: float64(c.Iterations), OK: c.Iterations >= 0},
		{Name: "Tolerance", Value: c.Tolerance, OK: c.Tolerance >= 0 && c.Tolerance < 1},
	}); err != nil {
		return c, err
	}
	config := c.config()
	return c, config.Check()
}

// config returns the configuration shared by Fit and the learner.
func (o *Options) config() descent.Config {
	return descent.Config{Package: pkg, Kernel: o.Kernel, Sampler: engine.Sampler(o.Sampler), MaxPoints: o.MaxPoints, Features: o.Features, Columns: o.Columns,
		Batch: cmp.Or(o.Batch, defaultBatch), Ridge: cmp.Or(o.Nu, defaultNu),
		CacheSize: cmp.Or(o.CacheSize, blocks.DefaultCache), MemoryLimit: cmp.Or(o.MemoryLimit, input.DefaultMemory), Seed: o.Seed, Workers: o.Workers}
}

// refuse returns rkhs.ErrOption for an option that has no effect.
func (o *Options) refuse(learner bool) error {
	if !learner {
		return input.Refuse(pkg, "Fit", []input.Unused{{Name: "Batch", Set: o.Batch > 0}})
	}
	return input.Refuse(pkg, "a learner", []input.Unused{
		{Name: "MaxPoints", Set: o.MaxPoints > 0}, {Name: "Iterations", Set: o.Iterations > 0},
		{Name: "Tolerance", Set: o.Tolerance > 0}, {Name: "Recorder", Set: o.Recorder != nil},
	})
}
