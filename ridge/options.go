package ridge

import (
	"cmp"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/kernel"
)

// pkg begins the errors of this package.
const pkg = "ridge"

// Options configures a fit. The zero value of each field means its default; nil means all
// defaults.
type Options struct {
	// Kernel is k. Default: the metric of the rows, the family and the bandwidth that
	// predict rows left out best, on up to 2000 rows; the report tells what was tried. Of
	// 4500 rows or more, full metrics, narrower kernels and other ridges are compared with
	// that besides: learned on up to 4000 rows, judged on up to 3000 others.
	Kernel kernel.Kernel
	// Metric says what linear map of the rows the search for the kernel may learn: weights of
	// the columns or a full matrix, kept where it is better beyond chance.
	// Default: kernel.AutoMetric.
	Metric kernel.Metric
	// Ridge is lam, the weight of ‖f‖². Default: what predicts rows left out best, found
	// with Kernel. A Ridge that is lost beside the kernel by rounding is taken as large as
	// it must be, of which the report tells.
	Ridge float64
	// NoIntercept leaves out the constant b. It does not leave it out of the search for
	// what is not given of Kernel and Ridge.
	NoIntercept bool

	// MaxPoints is the number of points that f sits on, which are drawn from the rows by
	// what their predecessors leave of k(x, x). Default: all rows up to 10⁵, and of
	// more rows 5000, or as many as MemoryLimit allows.
	MaxPoints int
	// Tolerance is the relative residual, as the report has it, at which the solution
	// ends. Default: 1e-5, of which Status tells whether it was reached.
	Tolerance float64
	// Patience is the number of steps of conjugate gradients after which the solution ends if its error at rows held
	// out, one in ten and 1000 at most, is not lower by .5 %. Default: of more than 30000 rows, without a Tolerance, a
	// third of the steps taken, and 10 at least, or 2 on fewer points than rows; else no row is held out.
	Patience int
	// Iterations bounds the steps of conjugate gradients. A given Tolerance that they do not
	// reach is rkhs.ErrNotConverged. Default: 1000.
	Iterations int

	// Uncalibrated leaves out what Proba and Interval are made by: the rows left out one by one up
	// to 8000 rows, those held out where some are, and else a second solution, without some rows.
	Uncalibrated bool
	// MemoryLimit bounds the bytes that a fit may allocate. Default: 4 GiB.
	MemoryLimit int64
	// Seed selects the random streams: the rows of the search, and the points.
	Seed uint64
	// Workers bounds the goroutines. Default: GOMAXPROCS. It does not change the result
	// by a bit.
	Workers int
	// Recorder, if not nil, receives the progress of a fit. In "search" Done is the part that is over; in "solve"
	// Iteration counts the steps of conjugate gradients, and Gap is the relative residual; the other phases count
	// rows or, in "centres", points. Objective is NaN.
	Recorder rkhs.Recorder
}

// checked returns the options with what is not given and needs no data.
func (o *Options) checked() (Options, error) {
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
	return c, err
}

func (o *Options) tolerance() float64 { return cmp.Or(o.Tolerance, 1e-5) }
