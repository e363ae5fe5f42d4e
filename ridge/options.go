package ridge

import (
	"cmp"
	"context"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/kernel"
)

// pkg is the prefix of errors.
const pkg = "ridge"

// Options configures a fit. The zero value of each field selects its default, and nil selects all
// defaults.
type Options struct {
	// Kernel is k. Default: the metric, family and bandwidth with the lowest leave-one-out error on
	// up to 2000 rows; from 4500 rows on, with the lowest error on up to 3000 held-out rows of
	// candidates trained on up to 4000.
	Kernel kernel.Kernel
	// Metric is the kind of linear map that the kernel search may learn: column weights or a full
	// matrix. The search keeps it if it is significantly better. Default: kernel.AutoMetric.
	Metric kernel.Metric
	// Ridge is lam, the weight of ‖f‖². A value below the rounding error of the kernel is raised;
	// see Report.Ridge. Default: the value with the lowest error, searched with Kernel.
	Ridge float64
	// NoIntercept omits the constant b. The kernel search still fits a constant.
	NoIntercept bool

	// MaxPoints is the number of landmarks that f is supported on. Default: all rows up to 10⁵;
	// for more rows 5000, or as many as MemoryLimit allows.
	MaxPoints int
	// Tolerance is the relative residual at which the solver stops. If a given Tolerance is not
	// reached, the fit returns rkhs.ErrNotConverged. Default: 1e-5.
	Tolerance float64
	// Patience stops the solver after this many steps without a .5 % improvement on held-out rows.
	// Default: see "Early stopping".
	Patience int
	// Iterations bounds the steps of conjugate gradients. Default: 1000.
	Iterations int

	// Uncalibrated omits the predictions of unseen rows for Proba and Interval. They are free if a
	// factor or held-out rows exist; otherwise they need a second fit.
	Uncalibrated bool
	// MemoryLimit bounds the bytes that a fit may allocate. Default: 4 GiB.
	MemoryLimit int64
	// Seed selects the random streams of the kernel search and of the landmarks.
	Seed uint64
	// Workers bounds the goroutines. It does not affect the result. Default: GOMAXPROCS.
	Workers int
	// Recorder, if not nil, receives the progress. Done is the finished part of the phase "search".
	// In "solve" Iteration counts steps of conjugate gradients and Gap is the relative residual.
	// Other phases count rows, or landmarks in "centres". Objective is NaN.
	Recorder rkhs.Recorder
}

// checked returns the options with defaults.
func (o *Options) checked(ctx context.Context) (*Options, error) {
	if o == nil {
		o = new(Options)
	}
	c := *o
	err := door.Ranges(pkg, []door.Field{
		{Name: "Metric", Value: float64(c.Metric), OK: c.Metric.Valid()},
		{Name: "Ridge", Value: c.Ridge, OK: c.Ridge >= 0 && compute.Finite(c.Ridge)},
		{Name: "MaxPoints", Value: float64(c.MaxPoints), OK: c.MaxPoints >= 0},
		{Name: "Tolerance", Value: c.Tolerance, OK: c.Tolerance >= 0 && c.Tolerance < 1},
		{Name: "Patience", Value: float64(c.Patience), OK: c.Patience >= 0},
		{Name: "Iterations", Value: float64(c.Iterations), OK: c.Iterations >= 0},
		{Name: "MemoryLimit", Value: float64(c.MemoryLimit), OK: c.MemoryLimit >= 0},
		{Name: "Workers", Value: float64(c.Workers), OK: c.Workers >= 0},
	})
	if err == nil && c.Kernel != nil {
		err = door.Refuse(pkg, "a given Kernel", []door.Unused{{Name: "Metric", Set: c.Metric != kernel.AutoMetric}})
	}
	c.Iterations = cmp.Or(c.Iterations, 1000)
	c.MemoryLimit = cmp.Or(c.MemoryLimit, door.DefaultMemory)
	return &c, cmp.Or(err, door.Context(pkg, ctx))
}

// tolerance returns Tolerance or its default.
func (o *Options) tolerance() float64 { return cmp.Or(o.Tolerance, 1e-5) }
