package doublysgd

import (
	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// Mode is an algorithm.
type Mode uint8

const (
	// Auto is Revisit in memory, and Newton for streams and loss.MulticlassHinge.
	Auto Mode = iota
	// Revisit solves for one block after the other on the current residual. It converges to the
	// minimum over all coefficients and needs the data in memory.
	Revisit
	// Newton solves for a new block on each batch. The next batch selects the ridge and the length
	// of the step. It lowers the loss on future rows and not the objective.
	Newton
	// Plain is the stochastic gradient method of Algorithms 1 and 2 of the paper, in blocks.
	Plain
)

// String returns the name of the mode.
func (m Mode) String() string {
	if names := [...]string{"Auto", "Revisit", "Newton", "Plain"}; int(m) < len(names) {
		return names[m]
	}
	return "Unknown"
}

// Options configures a fit or a learner. The zero value of each field selects its default, and nil
// options select all defaults. An option that has no effect in the selected mode is an error.
type Options struct {
	// Kernel is a kernel with random features. Default: the result of the search, see
	// Report.Search; for streams kernel.Gaussian with the median distance of up to 1000 rows.
	Kernel kernel.Kernel
	// Metric is the linear map of the rows that the search may learn. The search keeps it if it
	// predicts significantly better. Default: kernel.AutoMetric.
	Metric kernel.Metric
	// Loss is the loss. Its Delta or Epsilon is in units of 1.4826 times the median absolute
	// deviation of the targets. Default: loss.Squared; for classification see "Defaults" in
	// Revisit mode, otherwise loss.Logistic for two classes and loss.Softmax for more.
	Loss loss.Loss
	// Quantiles, ascending in (0, 1), replaces Loss by one loss.Pinball each. A single column of
	// targets gives one output per quantile, with a common kernel and ridge. Predictions are sorted
	// (Chernozhukov, Fernández-Val and Galichon, Econometrica 78, 2010) and have no Interval.
	Quantiles []float64

	// Features is the number of features, rounded up to a multiple of Columns. Default: selected on
	// held-out rows in Revisit mode, at most 4n or for few rows min(64n, 8192); 16384 in Newton and
	// 32768 in Plain mode; never more than Work and MemoryLimit allow.
	Features int
	// Ridge is the weight nu of the squared norm, at most 1e6; Newton mode has none. Default: the
	// result of the search in Revisit mode, cross-validated for kinked losses; in Plain mode 1/n,
	// or 1e-6 for streams.
	Ridge float64
	// Tolerance, if positive, makes Revisit mode iterate until Report.Gradient is at most Tolerance.
	// Passes then defaults to 1000 and limits the iteration.
	Tolerance float64

	// Work bounds the number of floating-point operations for automatic choices: features, passes,
	// rows of the search and rows beyond 100000. It is a count, so results do not depend on the
	// machine. Default: 4e12, about 90 seconds on two cores.
	Work float64

	// NoCalibration omits the calibration for Proba and Interval. Calibration uses held-out or
	// leave-one-out errors if the fit has them, otherwise up to five more fits; with 50000 rows or
	// more in Newton and Plain mode it reserves 2000 rows.
	NoCalibration bool
	// MemoryLimit bounds the bytes of a fit, or of a learner with all Features. A quarter is kept free
	// for sparse rows. Normal equations that do not fit are recomputed. Default: 4 GiB.
	MemoryLimit int64

	// Seed selects the random streams: features, held-out rows, order.
	Seed uint64
	// Workers bounds the number of goroutines and does not affect the result. Default: GOMAXPROCS.
	Workers int
	// Recorder, if not nil, receives progress. Iteration counts visits of blocks, or thousandths of
	// the search. ModelOrder is the number of blocks. Objective is the mean loss on the training
	// rows, NaN before the first visit. Gap is NaN.
	Recorder rkhs.Recorder

	// Paper holds the options of the algorithm of the paper.
	Paper
}

// Paper holds options of the algorithm that few fits need. The zero value of each field selects its
// default.
type Paper struct {
	// Sampler is the distribution of the parameters of a block.
	Sampler features.Sampler
	// Mode is the algorithm. Default: Auto.
	Mode Mode
	// Columns is the number of features of a block, an even number. Default: 1024 or 2048 in Revisit
	// mode by the number of rows, 512 for sparse rows; 512 in Newton and 256 in Plain mode; less for
	// few rows or little memory.
	Columns int
	// Batch is the number of rows of a step in Newton and Plain mode. Default: 4 times Columns in
	// Newton mode, 256 in Plain mode, and less for few rows.
	Batch int
	// Passes is the number of passes over the rows, in Revisit mode over the blocks at each number
	// of features. Default: in Revisit mode until a pass gains less than 1 % on held-out rows or Work
	// is used up; 1 in the other modes.
	Passes int
	// LastIterate makes Plain mode return the last iterate. Default: the average, in which iterate t
	// has weight t.
	LastIterate bool
	// Precision is the precision of features and products in Revisit mode. Default: Single, but
	// Double for regressions with little noise or with Kernel and Ridge set.
	Precision Precision
	// CacheSize bounds the bytes of drawn parameters, and of features in Revisit mode, that are kept
	// for reuse. The others are drawn again. Default: 256 MiB.
	CacheSize int64
}

// Precision is the precision of features and their products. Long sums and all solutions have
// double precision.
type Precision uint8

const (
	// AutoPrecision selects the precision by the task.
	AutoPrecision Precision = iota
	// Double has 53 bits.
	Double
	// Single has 24 bits and needs about half the time. Its error of 1e-7 is too large for regressions
	// with noise below a few hundredths of the targets. Features without a single-precision form,
	// and rows that are far from the origin compared with their distances, use Double.
	Single
)
