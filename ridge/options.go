package ridge

import (
	"cmp"
	"context"
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
)

// pkg is the prefix of errors.
const pkg = "ridge"

// Options configures a fit. The zero value of each field selects its default, and nil selects all
// defaults.
type Options struct {
	// Kernel is k. Default: the metric, family and bandwidth with the lowest leave-one-out error on up
	// to 2000 rows, or from 4500 rows on with the lowest error on up to 3000 held-out rows.
	Kernel kernel.Kernel
	// Metric is the kind of linear map that the kernel search may learn: column weights or a full
	// matrix. The search keeps it if it is significantly better. Default: kernel.AutoMetric.
	Metric kernel.Metric
	// Ridge is lam, the weight of ‖f‖². A value below the rounding error of the kernel is raised;
	// see Report.Ridge. Default: the value with the lowest error, searched with Kernel.
	Ridge float64
	// NoIntercept omits the constant b. The kernel search still fits a constant.
	NoIntercept bool

	// MaxPoints is the number of landmarks that f is supported on. Default: all rows up to 10⁵ if a
	// solution needs about 90 s at most; otherwise 5000, or as many as MemoryLimit allows.
	MaxPoints int
	// Tolerance is the relative residual at which the solver stops. If a given Tolerance is not
	// reached, the fit returns rkhs.ErrNotConverged. Default: 1e-5.
	Tolerance float64
	// Patience stops the solver after this many steps without a .5 % improvement on held-out rows.
	// Default: see "Early stopping".
	Patience int
	// Iterations bounds the steps of conjugate gradients. Default: 1000.
	Iterations int

	// NoCalibration omits the predictions of unseen rows for Proba and Interval. They need a second
	// fit unless there is a factor or held-out rows.
	NoCalibration bool
	// MemoryLimit bounds the bytes that a fit may allocate. Default: 4 GiB.
	MemoryLimit int64
	// Seed selects the random streams of the kernel search and of the landmarks.
	Seed uint64
	// Workers bounds the goroutines. It does not affect the result. Default: GOMAXPROCS.
	Workers int
	// Recorder, if not nil, receives the progress. In the phase "solve" Iteration counts steps and Gap
	// is the relative residual. Other phases count rows or, in "centres", landmarks.
	Recorder rkhs.Recorder
}

// checked returns the options with defaults.
func (o *Options) checked(ctx context.Context) (*Options, error) {
	if o == nil {
		o = new(Options)
	}
	c := *o
	err := input.Ranges(pkg, []input.Field{
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
		err = input.Refuse(pkg, "a given Kernel", []input.Unused{{Name: "Metric", Set: c.Metric != kernel.AutoMetric}})
	}
	c.Iterations = cmp.Or(c.Iterations, 1000)
	c.MemoryLimit = cmp.Or(c.MemoryLimit, input.DefaultMemory)
	return &c, cmp.Or(err, input.Context(pkg, ctx))
}

// tolerance returns Tolerance or its default.
func (o *Options) tolerance() float64 { return cmp.Or(o.Tolerance, 1e-5) }

// solver is the method that solves a problem.
type solver uint8

const (
	factorising solver = iota // a Cholesky factor of the matrix of all rows
	iterating                 // conjugate gradients on the matrix of all rows
	onPoints                  // conjugate gradients on landmarks
)

const (
	factorRows   = 8000   // largest number of rows to factorise
	exactRows    = 100000 // largest number of rows that are all points
	usualSteps   = 50     // typical steps of conjugate gradients
	mostWork     = 2e13   // operations of these steps, about 90 s on two processors
	mostPoints   = 5000   // default number of landmarks
	fewestPoints = 100    // least default number of landmarks
	inversePanel = 256    // columns of the inverse factor at a time
	scratchRows  = 512    // rows of the matrix at a time
)

// solverOf returns the solver for n rows of d columns and q outputs.
func (o *Options) solverOf(n, d, q int) solver {
	limit := float64(o.MemoryLimit)
	switch {
	case o.MaxPoints > 0 && o.MaxPoints < n:
		return onPoints
	case n <= factorRows && dataBytes(n, d, q)+8*float64(n)*float64(n+inversePanel) <= limit:
		return factorising
	case n <= exactRows && o.iterationBytes(n, d, q) <= limit && o.affords(n, d, q):
		return iterating
	}
	return onPoints
}

// dataBytes returns the memory of the rows and of the vectors of a solution.
func dataBytes(n, d, q int) float64 { return 8 * float64(n) * float64(d+8*q+4) }

// iterationBytes returns the least memory of conjugate gradients: the rows in three forms, the
// functions of the landmarks, and the neighbours with their elements in two orders.
func (o *Options) iterationBytes(n, d, q int) float64 {
	c := o.preconditionerLandmarks(n, d)
	return dataBytes(3*n, d, q) + 8*float64(n)*float64(c+4*neighbours+scratchRows) + 32*float64(c)*float64(c)
}

// keeps reports whether conjugate gradients can store half of the matrix.
func (o *Options) keeps(n, d, q int) bool {
	half := 4 * float64(n) * float64(n+scratchRows)
	return o.iterationBytes(n, d, q)+half <= float64(o.MemoryLimit)
}

// affords reports whether conjugate gradients on all rows are cheap enough: half of the matrix is stored,
// or its values are cheap to compute at each step. An explicit MaxPoints of all rows is always affordable.
func (o *Options) affords(n, d, q int) bool {
	work := float64(usualSteps) * float64(n) * float64(n) * float64(d+kernelColumns)
	return o.MaxPoints >= n || o.keeps(n, d, q) || work <= mostWork
}

// keepsPoints reports whether the kernel values of all rows and the landmarks fit in the memory.
func (o *Options) keepsPoints(n, d, q, points int) bool {
	return pointBytes(n, d, q, points)+8*float64(n)*float64(points) <= float64(o.MemoryLimit)
}

// points returns the number of landmarks for n rows, by default as many as the memory allows.
func (o *Options) points(n, d, q int) int {
	if o.MaxPoints > 0 {
		return o.MaxPoints
	}
	count := min(mostPoints, n)
	for count > 1 && pointBytes(n, d, q, count) > float64(o.MemoryLimit) {
		count -= (count + 9) / 10
	}
	return count
}

// pointBytes returns the memory of a fit on landmarks. It consists of their functions at the rows to draw from,
// some square matrices, chunks of a thousand rows, and the rows in three forms.
func pointBytes(n, d, q, points int) float64 {
	p := float64(points)
	return dataBytes(n, 3*d, q) + 8*p*(rowsPerPoint*p+4*p+float64(d+2*q+2*min(n, 1024)))
}

// checkMemory returns rkhs.ErrMemory if the least memory of a fit is above the limit.
func (o *Options) checkMemory(n, d, q int) error {
	if o.solverOf(n, d, q) != onPoints {
		return nil
	}
	count := o.MaxPoints
	if count == 0 {
		count = max(o.points(n, d, q), min(n, fewestPoints))
	}
	return input.Memory(pkg, fmt.Sprintf("%d rows and %d points", n, count), pointBytes(n, d, q, count), o.MemoryLimit)
}
