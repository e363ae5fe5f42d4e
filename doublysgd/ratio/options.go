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

// pkg begins the errors of this package.
const pkg = "ratio"

// Form says which function is learned of a ratio of densities w = p/q.
type Form uint8

const (
	// Log learns f = log w, by E_q[exp f] − E_p[f] + (nu/2)·‖f‖²: w is positive
	// everywhere.
	Log Form = iota
	// Plain learns w itself, by E_q[w] − E_p[log w] + (nu/2)·‖w‖², where the
	// logarithm goes on straight below w = 0.1: w may be negative, which Predict
	// reports as 0.
	Plain
)

// String returns the name of the form.
func (f Form) String() string {
	if names := [...]string{"Log", "Plain"}; int(f) < len(names) {
		return names[f]
	}
	return "Unknown"
}

// Options configures Fit and NewLearner, each of which refuses what only the other uses.
// The zero value of each field means its default; nil means all defaults.
type Options struct {
	// Form is the function that is learned. Default: Log.
	Form Form
	// Kernel is the kernel. Default: kernel.Gaussian, whose Sigma is a multiple of the
	// median distance. Where the spreads of columns, between the quantiles of 5 and 95 %,
	// differ by a factor of more than 1000, their units have nothing to do with each other: a
	// kernel.ARD then divides each column by its standard deviation.
	Kernel kernel.Kernel
	// Ridge is nu, at most 1e6. Default: together with the multiple of the median
	// distance, the largest power of ten that is within one standard error of the best
	// when one row at a time is left out.
	Ridge float64

	// MaxPoints is the largest number of centres of Fit. Default: 1000.
	MaxPoints int
	// Features bounds the number of random features, in Fit of what the centres leave of
	// the kernel, and Columns is that of one block. Later steps of a learner go back to
	// the blocks from the first on. Default: 32768, and 1024 or, in a learner, 256.
	Features, Columns int
	// Batch is the number of rows of each kind in a step of a learner. Default: 64.
	Batch int
	// Sampler says how the parameters of a block are drawn.
	Sampler features.Sampler
	// Tolerance is the error, as the report gives it, at which Fit ends before all
	// features are used. If it is given and not reached, the error is
	// rkhs.ErrNotConverged. Default: 0.01.
	Tolerance float64

	// CacheSize bounds the bytes of features that are kept for a second use within
	// a step; others are computed again. Default: 256 MiB.
	CacheSize int64
	// MemoryLimit bounds the bytes that a fit may allocate, those that a learner with all
	// Features may hold, and those of rows of one kind that it keeps until as many of the
	// other come. Default: 4 GiB.
	MemoryLimit int64
	// Seed selects the random streams: centres, features, rows that choices are made by.
	Seed uint64
	// Workers bounds the goroutines. Default: GOMAXPROCS. It does not change the
	// result by a bit.
	Workers int
	// Recorder, if not nil, receives the progress of Fit: phase "search" counts bandwidths,
	// "centres" centres; in "fit" Iteration counts steps, Objective is that of the problem,
	// ModelOrder the number of centres, Gap the error of the report.
	Recorder rkhs.Recorder
}

const (
	defaultTolerance = 0.01
	defaultBatch     = 64
)

// checked returns a copy of the options, of which all are in range.
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

// config returns what Fit and the steps of a learner go by.
func (o *Options) config() descent.Config {
	return descent.Config{Package: pkg, Kernel: o.Kernel, Sampler: engine.Sampler(o.Sampler), MaxPoints: o.MaxPoints, Features: o.Features, Columns: o.Columns,
		Batch: cmp.Or(o.Batch, defaultBatch), Ridge: o.Ridge,
		CacheSize: cmp.Or(o.CacheSize, blocks.DefaultCache), MemoryLimit: cmp.Or(o.MemoryLimit, input.DefaultMemory), Seed: o.Seed, Workers: o.Workers}
}

// refuse returns rkhs.ErrOption for an option that only the other of Fit and a learner
// uses.
func (o *Options) refuse(learner bool) error {
	if !learner {
		return input.Refuse(pkg, "Fit", []input.Unused{{Name: "Batch", Set: o.Batch > 0}})
	}
	return input.Refuse(pkg, "a learner", []input.Unused{
		{Name: "MaxPoints", Set: o.MaxPoints > 0}, {Name: "Tolerance", Set: o.Tolerance > 0}, {Name: "Recorder", Set: o.Recorder != nil},
	})
}
