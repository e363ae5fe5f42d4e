package gp

import (
	"cmp"
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
)

// pkg begins the errors of this package.
const pkg = "gp"

// Options configures Fit. The zero value of each field means its default; nil means all
// defaults.
type Options struct {
	// Kernel is the prior covariance, up to a factor unless Literal is set. It needs no features. Default: of
	// the kernels that predict rows left out best, to within a standard error on up to 2000 rows, the one under which the
	// targets are most likely.
	Kernel kernel.Kernel
	// Metric says what linear map of the rows the search for the kernel may learn: weights of
	// the columns or a full matrix, kept where it is better beyond chance.
	// Default: kernel.AutoMetric.
	Metric kernel.Metric
	// Literal makes the prior one of mean zero and of covariance Kernel itself.
	// Otherwise it has a constant of infinite variance, and its covariance is the multiple
	// of Kernel at which the targets are most likely.
	Literal bool
	// Noise is the variance of the noise of the targets, in their unit squared. Several columns of targets share one
	// ratio of noise to prior variance, and a Noise that is given needs Literal; with one column and without
	// Literal it decides on the prior variance. Default: a multiple of the prior variance that is found with Kernel.
	Noise float64

	// Tolerance is the relative error, by the bound that the report gives, at which a
	// solution ends: of the mean in the root mean square over the rows, and of the
	// variance at each row that it is asked for. Default: 0.001, and no more of the mean than a
	// tenth of the deviation of the noise.
	Tolerance float64
	// Iterations bounds the iterations of one solution. A given Tolerance that they do
	// not reach is rkhs.ErrNotConverged. Default: 1000.
	Iterations int
	strict     bool // whether Tolerance was given
	// Centres is the largest number of centres of the preconditioner: the more, the fewer
	// iterations.
	// Default: 500.
	Centres int

	// CacheSize bounds the bytes of the Gram matrix of the rows up to which it is
	// kept; kernel values are computed at each iteration otherwise. Default: 256 MiB.
	CacheSize int64
	// MemoryLimit bounds the bytes that a fit, a variance or a covariance may allocate.
	// Default: 4 GiB.
	MemoryLimit int64
	// Seed selects the random streams: centres, and rows that the prior is judged by.
	Seed uint64
	// Workers bounds the goroutines. Default: GOMAXPROCS. It does not change the
	// result by a bit.
	Workers int
	// Recorder, if not nil, receives the progress of a fit. In the phase "search" Done is
	// the part of the search of the kernel that is over, and in "centres" their number; in "solve"
	// Iteration counts the iterations, ModelOrder is the number of rows, and Gap the bound
	// of the relative error. Objective is NaN.
	Recorder rkhs.Recorder
}

// checked returns the options with what is not given and needs no data.
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

// checkNoise refuses a noise that is given in the unit of one of several outputs.
func (o *Options) checkNoise(outputs int) error {
	if o.Noise > 0 && outputs > 1 && !o.Literal {
		return fmt.Errorf("gp: Noise = %v of %d columns of targets needs Literal: %w", o.Noise, outputs, rkhs.ErrOption)
	}
	return nil
}
