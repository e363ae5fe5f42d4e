package gp

import (
	"cmp"
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/kernel"
)

// pkg begins the errors of this package.
const pkg = "gp"

// Options configures Fit. The zero value of each field means its default; nil means all
// defaults.
type Options struct {
	// Kernel is the prior covariance, up to a factor unless Literal is set. It needs no
	// features.
	// Default: kernel.Gaussian of the Sigma, among multiples of the median
	// distance, that makes the targets of up to 512 rows most likely.
	Kernel kernel.Kernel
	// Literal makes the prior one of mean zero and of covariance Kernel itself.
	// Otherwise its mean is that of the targets, and its covariance a multiple of
	// Kernel that is found as Noise is.
	Literal bool
	// Noise is the variance of the noise of the targets, in their unit squared.
	// Default: what makes the targets of up to 512 rows most likely, to within a
	// factor of 1.8 and at least 1e-8 of the prior variance. Several columns of
	// targets share one ratio of noise to prior variance, and a Noise that is given
	// needs Literal.
	Noise float64

	// Tolerance is the relative error, by the bound that the report gives, at which a
	// solution ends: of the mean in the root mean square over the rows, and of the
	// variance at each row that it is asked for. Default: 0.001.
	Tolerance float64
	// Iterations bounds the iterations of one solution. If they do not reach
	// Tolerance, the error is rkhs.ErrNotConverged. Default: 1000.
	Iterations int
	// Centres is the largest number of centres of the preconditioner: the more, the fewer
	// iterations.
	// Default: 1000.
	Centres int

	// CacheSize bounds the bytes of the Gram matrix of the rows up to which it is
	// kept; kernel values are computed at each iteration otherwise. Default: 256 MiB.
	CacheSize int64
	// MemoryLimit bounds the bytes that a fit, a variance or a covariance may allocate.
	// Default: 4 GiB.
	MemoryLimit int64
	// Seed selects the random streams: centres, and rows that noise is judged by.
	Seed uint64
	// Workers bounds the goroutines. Default: GOMAXPROCS. It does not change the
	// result by a bit.
	Workers int
	// Recorder, if not nil, receives the progress of a fit, phase "solve": Iteration counts
	// its iterations, ModelOrder is the number of rows, Gap is the bound of the
	// relative error, Objective is NaN.
	Recorder rkhs.Recorder
}

// checked returns the options with what is not given and needs no data.
func (o *Options) checked() (Options, error) {
	if o == nil {
		o = new(Options)
	}
	c := *o
	err := door.Ranges(pkg, []door.Field{
		{Name: "Noise", Value: c.Noise, OK: c.Noise >= 0 && compute.Finite(c.Noise)},
		{Name: "Tolerance", Value: c.Tolerance, OK: c.Tolerance >= 0 && c.Tolerance < 1},
		{Name: "Iterations", Value: float64(c.Iterations), OK: c.Iterations >= 0},
		{Name: "Centres", Value: float64(c.Centres), OK: c.Centres >= 0},
		{Name: "CacheSize", Value: float64(c.CacheSize), OK: c.CacheSize >= 0},
		{Name: "MemoryLimit", Value: float64(c.MemoryLimit), OK: c.MemoryLimit >= 0},
		{Name: "Workers", Value: float64(c.Workers), OK: c.Workers >= 0},
	})
	c.Tolerance = cmp.Or(c.Tolerance, 0.001)
	c.Iterations = cmp.Or(c.Iterations, 1000)
	c.Centres = cmp.Or(c.Centres, 1000)
	c.CacheSize = cmp.Or(c.CacheSize, 256<<20)
	c.MemoryLimit = cmp.Or(c.MemoryLimit, door.DefaultMemory)
	return c, err
}

// checkNoise refuses a noise that is given in the unit of one of several outputs.
func (o *Options) checkNoise(outputs int) error {
	if o.Noise > 0 && outputs > 1 && !o.Literal {
		return fmt.Errorf("gp: Noise = %v of %d columns of targets needs Literal: %w", o.Noise, outputs, rkhs.ErrOption)
	}
	return nil
}
