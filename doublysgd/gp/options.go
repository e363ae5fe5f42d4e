package gp

import (
	"cmp"
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
)

// pkg is the prefix of error messages.
const pkg = "gp"

// Options configures Fit. The zero value of each field selects its default; nil options
// select all defaults.
type Options struct {
	// Kernel is the prior covariance, up to a factor unless NoConstant is set. It needs no random
	// features. Default: the kernel with the highest likelihood among candidates within one
	// standard error of the lowest leave-one-out error, on up to 2000 rows.
	Kernel kernel.Kernel
	// Metric selects the linear map of the columns that the kernel search may learn: column
	// weights or a full matrix. The search keeps the map only if it lowers the error
	// significantly. Default: kernel.AutoMetric.
	Metric kernel.Metric
	// NoConstant fixes the prior: mean zero and covariance Kernel. Otherwise the prior has a
	// constant with infinite variance, and Fit scales Kernel by maximum likelihood.
	NoConstant bool
	// Noise is the noise variance, in squared units of the targets. All outputs share one
	// ratio of noise to prior variance. A given Noise sets the prior variance of a single
	// output; several outputs also need NoConstant. Default: the ratio is selected with Kernel.
	Noise float64

	// Tolerance is the relative error bound at which a solution stops: of the mean in root mean
	// square over the rows, and of the variance at each row. Default: 0.001, and for the mean
	// at most a tenth of the standard deviation of the noise.
	Tolerance float64
	// Iterations is the maximum number of iterations of one solution. If a given Tolerance is
	// not reached, the error is rkhs.ErrNotConverged. Default: 1000.
	Iterations int
	strict     bool // whether Tolerance was given
	// Centres is the maximum number of landmarks of the preconditioner. More landmarks need
	// fewer iterations. Default: 500.
	Centres int

	// CacheSize is the maximum size in bytes of a cached Gram matrix. A larger matrix is
	// computed again in each iteration. Default: 256 MiB.
	CacheSize int64
	// MemoryLimit bounds the bytes that a fit, a variance or a covariance may allocate.
	// Default: 4 GiB.
	MemoryLimit int64
	// Seed selects the random streams for landmarks and for the rows of the kernel search.
	Seed uint64
	// Workers bounds the goroutines. It does not change the result by a bit. Default:
	// GOMAXPROCS.
	Workers int
	// Recorder, if not nil, receives the progress of a fit. Phase "search" reports the part
	// done in Done. Phase "centres" counts landmarks. Phase "solve" reports the Iteration, the
	// number of rows in ModelOrder and the error bound in Gap. Objective is NaN.
	Recorder rkhs.Recorder
}

// checked validates the options and sets the defaults that need no data.
func (o *Options) checked() (Options, error) {
	if o == nil {
		o = new(Options)
	}
	c := *o
	err := input.Ranges(pkg, []input.Field{
		{Name: "Metric", Value: float64(c.Metric), OK: c.Metric.Valid()},
		{Name: "Noise", Value: c.Noise, OK: c.Noise >= 0 && compute.Finite(c.Noise)},
		{Name: "Tolerance", Value: c.Tolerance, OK: c.Tolerance >= 0 && c.Tolerance < 1},
		{Name: "Iterations", Value: float64(c.Iterations), OK: c.Iterations >= 0},
		{Name: "Centres", Value: float64(c.Centres), OK: c.Centres >= 0},
		{Name: "CacheSize", Value: float64(c.CacheSize), OK: c.CacheSize >= 0},
		{Name: "MemoryLimit", Value: float64(c.MemoryLimit), OK: c.MemoryLimit >= 0},
		{Name: "Workers", Value: float64(c.Workers), OK: c.Workers >= 0},
	})
	if err == nil && c.Kernel != nil {
		err = input.Refuse(pkg, "a given Kernel", []input.Unused{{Name: "Metric", Set: c.Metric != kernel.AutoMetric}})
	}
	c.strict = c.Tolerance > 0
	c.Tolerance = cmp.Or(c.Tolerance, 0.001)
	c.Iterations = cmp.Or(c.Iterations, 1000)
	c.Centres = cmp.Or(c.Centres, 500)
	c.CacheSize = cmp.Or(c.CacheSize, 256<<20)
	c.MemoryLimit = cmp.Or(c.MemoryLimit, input.DefaultMemory)
	return c, err
}

// checkNoise returns an error for a given noise if outputs have different units.
func (o *Options) checkNoise(outputs int) error {
	if o.Noise > 0 && outputs > 1 && !o.NoConstant {
		return fmt.Errorf("gp: Noise = %v of %d columns of targets needs NoConstant: %w", o.Noise, outputs, rkhs.ErrOption)
	}
	return nil
}
