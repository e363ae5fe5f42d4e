package doublysgd

import (
	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// Mode is the way in which coefficients are found.
type Mode uint8

const (
	// Auto is Revisit for data at hand and Newton for streams, and for
	// loss.MulticlassHinge.
	Auto Mode = iota
	// Revisit goes back to old blocks and solves for them anew on the current
	// residual: block Gauss–Seidel, which converges to the minimum of the
	// objective over all coefficients. It needs the data at hand.
	Revisit
	// Newton solves for each block once, on a batch of its own, by the bound of
	// the curvature of the loss, with the ridge and the length of the step that
	// serve the next batch best. It does not minimise the objective: what it
	// minimises is the loss on rows to come.
	Newton
	// Plain is the stochastic gradient of Algorithms 1 and 2 of the paper, in
	// blocks.
	Plain
)

// String returns the name of the mode.
func (m Mode) String() string {
	if names := [...]string{"Auto", "Revisit", "Newton", "Plain"}; int(m) < len(names) {
		return names[m]
	}
	return "Unknown"
}

// Options configures a fit or a learner. The zero value of each field means its
// default; nil means all defaults. A field that the mode has no use for must be left at
// zero: Fit, FitClassifier and the learners refuse it by name.
type Options struct {
	// Kernel is the kernel, one for which package features has features. Default: of a
	// fit the one that the search finds, see Report.Choice; on streams kernel.Gaussian,
	// whose Sigma is the median distance of up to 1000 rows.
	Kernel kernel.Kernel
	// Metric says what linear map of the rows the search for the kernel may learn: weights of
	// the columns or a full matrix, kept where it is better beyond chance with the features.
	// Default: kernel.AutoMetric.
	Metric kernel.Metric
	// Loss is the loss of a score; a Delta or an Epsilon is in units of 1.4826 times the median absolute deviation of
	// the targets. Default: loss.Squared for regression and, of targets ±1, for classification in Revisit mode, which
	// goes on to loss.SquaredHinge where that makes fewer errors on rows held out; in the other modes loss.Logistic
	// for two classes and loss.Softmax for more.
	Loss loss.Loss
	// Quantiles, ascending in (0, 1), are learned in place of what a Loss says, each by its loss.Pinball: one column
	// of targets gives a model of as many outputs, which share kernel, ridge and features. The model sorts its values
	// at a point, which brings them nearer to the true quantiles (Chernozhukov, Fernández-Val and Galichon,
	// Econometrica 78, 2010). It has no Interval.
	Quantiles []float64

	// Features is the number of features, rounded up to a multiple of Columns. Default: in Revisit mode min(64n, 8192) for
	// n up to 2048 rows, and of more doubled until rows held out gain less than .5 %, up to 4n; 16384 in Newton and
	// 32768 in Plain mode; no more than Work and MemoryLimit allow.
	Features int
	// Ridge is the weight nu of the squared norm in the objective, at most 1e6; Newton mode takes none. Default: in
	// Revisit mode that of the search, or, of quantiles and losses with kinks, the largest within a standard error of
	// the best on rows held out; in Plain mode one over the number of rows, 1e-6 on streams.
	Ridge float64
	// Tolerance, if positive, makes Revisit mode take passes until Report.Gradient is
	// at most this, and Passes, by default 1000, a limit that gives
	// rkhs.ErrNotConverged.
	Tolerance float64

	// Work bounds the floating-point operations of a fit to data at hand on what the options leave open: features,
	// passes, rows of the search and, beyond 100000, rows. They are counted, so that a model does not depend on the machine.
	// Default: 4e12, about a minute and a half on two cores.
	Work float64

	// Uncalibrated leaves out what Proba and Interval are made by: rows left out one by one or held out anyway, which
	// cost next to nothing, and else one to five other fits; in the other modes 2000 of 50000 rows or more, which
	// are then not learned from.
	Uncalibrated bool
	// MemoryLimit bounds the bytes that a fit may hold at a time, and those that a learner
	// with all Features may. Of sparse rows a quarter is left for what the collector has yet to find. Normal
	// equations of blocks that do not fit are computed again at each visit. Default: 4 GiB.
	MemoryLimit int64

	// Seed selects the random streams: features, rows held out, order.
	Seed uint64
	// Workers bounds the goroutines. Default: GOMAXPROCS. It does not change the
	// result by a bit.
	Workers int
	// Recorder, if not nil, receives the progress of a fit: Iteration counts
	// visits of blocks, or thousandths of the search for kernel and ridge,
	// ModelOrder is the number of blocks, Objective the mean loss on the rows that are
	// trained on, NaN before the first visit. Gap is NaN.
	Recorder rkhs.Recorder

	// Paper holds options of the algorithm of the paper.
	Paper
}

// Paper holds the options of the algorithm of the paper, which a fit to data at hand rarely needs. The zero value of each
// field means its default.
type Paper struct {
	// Sampler says how the parameters of a block are drawn.
	Sampler features.Sampler
	// Mode is the way in which coefficients are found. Default: Auto.
	Mode Mode
	// Columns is the number of features of a block, an even number. Default: in Revisit mode 2048, or 1024 for more
	// than 32768 rows in single precision or 8192 in double, and 512 of sparse rows; 512 in Newton and 256 in
	// Plain mode; less where there are few rows or little memory.
	Columns int
	// Batch is the number of rows of a step in Newton and Plain mode. Default: 4
	// times Columns in Newton mode, 256 in Plain mode, and less where there are
	// few rows.
	Batch int
	// Passes is the number of passes over the data of a fit, in Revisit mode over the
	// blocks at each number of features that is tried. Default: in Revisit mode as many as
	// do better by a hundredth on rows held out and as Work allows, and 1 in the other
	// modes.
	Passes int
	// LastIterate makes Plain mode return the last iterate in place of the average
	// of all, the t-th of which has weight t.
	LastIterate bool
	// Precision is that of features and products in Revisit mode. Default: Single, but Double for regressions of which
	// the search finds next to no noise, or where Kernel and Ridge are given.
	Precision Precision
	// CacheSize bounds the bytes of drawn parameters, and of features in Revisit
	// mode, that are kept for reuse; the rest is drawn again. Default: 256 MiB.
	CacheSize int64
}

// Precision is the precision of features and of their products. Sums over many
// rows and all solutions are in double precision.
type Precision uint8

const (
	// AutoPrecision leaves the choice to the task.
	AutoPrecision Precision = iota
	// Double has 53 bits.
	Double
	// Single has 24 bits and takes about half the time. Features are wrong in the
	// seventh digit, the same at each visit; it is too little for regressions
	// whose noise is below some hundredths of the targets. Features that package
	// features has in double precision only stay so, and so do those of rows that
	// rounding to 24 bits would move: rows far from the origin beside their
	// distances.
	Single
)
