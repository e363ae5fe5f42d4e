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
	// Sampler says how the parameters of a block are drawn.
	Sampler features.Sampler
	// Loss is the loss of a score. Default: loss.Squared for regression, and for
	// classification in Revisit mode, of targets ±1; loss.Logistic for two classes
	// and loss.Softmax for more in the other modes. In Revisit mode a
	// classification that holds rows out, and has no Tolerance, goes on from
	// loss.Squared to loss.SquaredHinge if that makes fewer errors on them, by more
	// than chance; Classifier.Loss tells. A loss.SquaredHinge that is asked for is then
	// found in the same way, and is still loss.Squared where the fit was stopped before.
	// Targets of a regression are in units of 1.4826 times the median absolute deviation
	// from their median, in which Huber.Delta and EpsilonInsensitive.Epsilon count.
	Loss loss.Loss
	// Quantiles, ascending in (0, 1), are learned in place of what a Loss says, each by its
	// loss.Pinball: the one column of the targets gives a model of as many outputs. They
	// share kernel, ridge, features and normal equations, so that a fit takes little longer
	// than that of one. Functions that are learned one by one may cross where rows are few:
	// the model puts its values at a point in ascending order, which brings them nearer to
	// those of the true quantiles (Chernozhukov, Fernández-Val and Galichon, "Quantile and
	// probability curves without crossing", Econometrica 78, 2010). It has no Interval.
	Quantiles []float64
	// Mode is the way in which coefficients are found. Default: Auto.
	Mode Mode

	// Features is the number of features, a multiple of Columns or rounded up to
	// one. Default: in Revisit mode min(64n, 8192) for n up to 2048 rows, and 4n up to some 5000
	// rows of a regression by the squared loss; for
	// more it is doubled until rows held out gain less than half a hundredth, up to 4n; but
	// no more than Work allows, nor than MemoryLimit holds the coefficients of. In the other
	// modes each batch has a block of its own, until there are 16384 features in Newton and 32768
	// in Plain mode, or as many as Work allows; later batches go back to the blocks from the first on.
	Features int
	// Columns is the number of features of a block, an even number. Default: in
	// Revisit mode 2048 for up to 32768 rows in single precision, or 8192 in double,
	// and 1024 for more, of sparse rows 512, or 256 where more than 2048 have more than 16384 columns; 512 in
	// Newton and 256 in Plain mode; less where there are few rows or, in Revisit mode, little memory.
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
	// Ridge is the weight nu of the squared norm in the objective, at most 1e6.
	// Default: in Revisit mode that of the search (Report.Choice), in proportion to what
	// the loss makes of the noise; of quantiles and other losses of numbers with kinks, the
	// largest that does as well as the best on rows held out, up to a standard error,
	// and for which the constant fits these;
	// in Plain mode one over the number of rows, 1e-6 on streams. Newton mode chooses a
	// ridge for each step and takes none.
	Ridge float64
	// Tolerance, if positive, makes Revisit mode take passes until Report.Gradient is
	// at most this, and Passes, by default 1000, a limit that gives
	// rkhs.ErrNotConverged.
	Tolerance float64
	// LastIterate makes Plain mode return the last iterate in place of the average
	// of all, the t-th of which has weight t.
	LastIterate bool

	// Work bounds what a fit to data at hand spends on what the options leave open, in
	// floating-point operations, counted rather than timed so that a model does not depend
	// on the machine: features, passes and, beyond 100000, rows are fewer, and the samples of
	// the search smaller, where more would take it beyond. What is asked for is done
	// whatever it takes: with Features, Passes or a Tolerance all rows are visited. Default:
	// 4e12, about a minute and a half on two cores.
	Work float64

	// Uncalibrated leaves out what Proba and Interval are made by. They cost next to nothing where
	// rows are left out one by one, under the squared loss up to some 5000 of them, where
	// more than 2000 are held out anyway, as by default from 6000 on, or where they come as a stream; 2000 rows
	// from 50000 on in the other modes, which do not learn from these; and else one other fit to
	// the rows outside of a part of them, two up to 6000 rows, five up to 1000.
	Uncalibrated bool
	// Precision is that of features and products in Revisit mode. Default: Single, but
	// Double for regressions of which the search finds next to no noise, or where Kernel
	// and Ridge are given.
	Precision Precision
	// CacheSize bounds the bytes of drawn parameters, and of features in Revisit
	// mode, that are kept for reuse; the rest is drawn again. Default: 256 MiB.
	CacheSize int64
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
