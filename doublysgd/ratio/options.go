package ratio

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
const pkg = "ratio"

// Form is the function that represents the density ratio w = p/q.
type Form uint8

const (
	// Log fits f = log w by minimising E_q[exp f] − E_p[f] + (nu/2)·‖f‖². The ratio is
	// positive everywhere.
	Log Form = iota
	// Plain fits w by minimising E_q[w] − E_p[log w] + (nu/2)·‖w‖², with the logarithm
	// continued linearly below w = 0.1. Predict returns 0 for a negative w.
	Plain
)

// String returns the name of the form.
func (f Form) String() string {
	if names := [...]string{"Log", "Plain"}; int(f) < len(names) {
		return names[f]
	}
	return "Unknown"
}

// Options configures Fit and NewLearner. The zero value of each field selects its default;
// nil options select all defaults. An option that has no effect is an error.
type Options struct {
	// Form is the fitted function. Default: Log.
	Form Form
	// Kernel is the kernel. Default: kernel.Gaussian with a selected multiple of the median
	// distance. If the 5–95 % ranges of the columns differ by a factor of more than 1000, it
	// is a kernel.ARD that also divides each column by its standard deviation.
	Kernel kernel.Kernel
	// Ridge is nu, at most 1e6. Default: with the bandwidth, the largest power of ten with a
	// leave-one-out loss within one standard error of the best.
	Ridge float64

	// MaxPoints is the maximum number of landmarks in Fit. Default: 1000.
	MaxPoints int
	// Features is the maximum number of random features; Columns is the size of one block. Fit
	// uses features only for the residual of the kernel. After the last block, a learner
	// continues with the first. Default: 32768 features in blocks of 1024, or 256 in a learner.
	Features, Columns int
	// Batch is the number of rows of each density in a step of a learner. Default: 64.
	Batch int
	// Sampler is the distribution of the parameters of a block.
	Sampler features.Sampler
	// Tolerance is the error bound at which Fit stops before it has used all features. If it
	// is given and not reached, the error is rkhs.ErrNotConverged. Default: 0.01.
	Tolerance float64

	// CacheSize bounds the bytes of features cached for reuse within a step. Default: 256 MiB.
	CacheSize int64
	// MemoryLimit bounds the bytes that a fit may allocate, the bytes of a learner with all
	// Features, and the bytes of unpaired rows in a learner. Default: 4 GiB.
	MemoryLimit int64
	// Seed selects the random streams for landmarks, features and the rows of the search.
	Seed uint64
	// Workers bounds the goroutines. It does not change the result by a bit. Default:
	// GOMAXPROCS.
	Workers int
	// Recorder, if not nil, receives the progress of Fit. Phase "search" counts bandwidths and
	// "centres" counts landmarks. Phase "fit" reports the steps in Iteration, the Objective,
	// the number of landmarks in ModelOrder and the error bound in Gap.
	Recorder rkhs.Recorder
}

const (
	defaultTolerance = 0.01
	defaultBatch     = 64
)

// checked validates a copy of the options.
func (o *Options) checked() (Options, error) {
	if o == nil {
		o = new(Options)
	}
	c := *o
	if err := input.Ranges(pkg, []input.Field{
		{Name: "Form", Value: float64(c.Form), OK: c.Form <= Plain},
		{Name: "Tolerance", Value: c.Tolerance, OK: c.Tolerance >= 0 && c.Tolerance < 1},
	}); err != nil {
		return c, err
	}
	config := c.config()
	return c, config.Check()
}

// config returns the configuration of the gradient steps.
func (o *Options) config() descent.Config {
	return descent.Config{Package: pkg, Kernel: o.Kernel, Sampler: engine.Sampler(o.Sampler), MaxPoints: o.MaxPoints, Features: o.Features, Columns: o.Columns,
		Batch: cmp.Or(o.Batch, defaultBatch), Ridge: o.Ridge,
		CacheSize: cmp.Or(o.CacheSize, blocks.DefaultCache), MemoryLimit: cmp.Or(o.MemoryLimit, input.DefaultMemory), Seed: o.Seed, Workers: o.Workers}
}

// refuse returns rkhs.ErrOption for an option that has no effect.
func (o *Options) refuse(learner bool) error {
	if !learner {
		return input.Refuse(pkg, "Fit", []input.Unused{{Name: "Batch", Set: o.Batch > 0}})
	}
	return input.Refuse(pkg, "a learner", []input.Unused{
		{Name: "MaxPoints", Set: o.MaxPoints > 0}, {Name: "Tolerance", Set: o.Tolerance > 0}, {Name: "Recorder", Set: o.Recorder != nil},
	})
}
