package doublysgd

import (
	"cmp"
	"fmt"

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
	// Preconditioned minimises the objective over the whole space of the kernel: on
	// the span of centres exactly, and by stochastic gradients in random features,
	// new ones at each step, for what the centres leave of the kernel. It needs the
	// data at hand and a loss without kinks.
	Preconditioned
)

// String returns the name of the mode.
func (m Mode) String() string {
	if names := [...]string{"Auto", "Revisit", "Newton", "Plain", "Preconditioned"}; int(m) < len(names) {
		return names[m]
	}
	return "Unknown"
}

// Options configures a fit or a learner. The zero value of each field means its
// default; nil means all defaults.
type Options struct {
	// Kernel is the kernel, one for which package features has features. Default:
	// kernel.Gaussian, whose Sigma is the median distance of up to 1000 rows or,
	// in Revisit mode, the multiple of it that does best on rows held out.
	Kernel kernel.Kernel
	// Sampler says how the parameters of a block are drawn.
	Sampler features.Sampler
	// Loss is the loss of a score. Default: loss.Squared for regression, and for
	// classification in Revisit and Preconditioned mode, of targets ±1; loss.Logistic
	// for two classes and loss.Softmax for more in the other modes. In Revisit mode a
	// classification that holds rows out, and has no Tolerance, goes on from
	// loss.Squared to loss.SquaredHinge if that makes fewer errors on them, by more
	// than chance; Classifier.Loss tells. A loss.SquaredHinge that is asked for is then
	// found in the same way, and is still loss.Squared where the fit was stopped before.
	// Targets of a regression are standardised by their median and 1.4826 times the
	// median absolute deviation from it; Huber.Delta and EpsilonInsensitive.Epsilon
	// count in this unit.
	Loss loss.Loss
	// Mode is the way in which coefficients are found. Default: Auto.
	Mode Mode

	// Features is the number of features, a multiple of Columns or rounded up to
	// one. Default: in Revisit mode it is doubled until rows held out gain less
	// than half a hundredth, up to the larger of 16384 and 2²⁹/n for n rows, but no
	// more than 4n, nor than MemoryLimit holds the coefficients of. In the other modes
	// each batch has a block of its own, until there are 32768 features; later batches
	// go back to the blocks from the first on. In Preconditioned mode this is a limit,
	// 32768, and fewer may do.
	Features int
	// Columns is the number of features of a block, an even number. Default: in
	// Revisit mode 2048 for up to 32768 rows in single precision, or 8192 in double,
	// and 1024 for more; 1024 in Preconditioned, 512 in Newton and 256 in Plain mode;
	// less where there are few rows.
	Columns int
	// Batch is the number of rows of a step in Newton and Plain mode. Default: 4
	// times Columns in Newton mode, 256 in Plain mode, and less where there are
	// few rows.
	Batch int
	// Passes is the number of passes over the data, which in Revisit mode are
	// sweeps over the blocks at each number of features and each ridge that is tried,
	// and in Preconditioned mode rounds of steps, one a block. Default: in Revisit mode
	// as many as do better by a hundredth on rows held out, and 1 in the other modes.
	Passes int
	// Ridge is the weight nu of the squared norm in the objective, at most 1e6.
	// Default: in Revisit mode the power of ten that does best on rows held out, first
	// of a part of the rows, then lowered on all as long as that helps;
	// in Plain and Preconditioned mode one over the number of rows, 1e-6 on streams.
	// Newton mode chooses a ridge for each step and does not look at this one.
	Ridge float64
	// Tolerance, if positive, makes Revisit mode sweep until Report.Gradient is at
	// most this, and Passes, by default 1000, a limit that gives
	// rkhs.ErrNotConverged. In Preconditioned mode so do Passes and Features; a fit
	// that is not asked for a tolerance ends, without an error, at 0.01 or there.
	Tolerance float64
	// Centres is the largest number of centres of Preconditioned mode: rows whose
	// kernel functions need no random features. Default: 1000.
	Centres int
	// LastIterate makes Plain mode return the last iterate in place of the average
	// of all, the t-th of which has weight t.
	LastIterate bool

	// Precision is that of features and products in Revisit mode. Default: Double
	// for regression, Single for classification.
	Precision Precision
	// CacheSize bounds the bytes of drawn parameters, and of features in Revisit
	// mode, that are kept for reuse; the rest is drawn again. Default: 256 MiB.
	CacheSize int64
	// MemoryLimit bounds the bytes that a fit may allocate, and those that a learner
	// with all Features may hold. Normal equations of blocks that do not fit are
	// computed again at each visit. Default: 4 GiB.
	MemoryLimit int64

	// Seed selects the random streams: features, rows held out, order.
	Seed uint64
	// Workers bounds the goroutines. Default: GOMAXPROCS. It does not change the
	// result by a bit.
	Workers int
	// Recorder, if not nil, receives the progress of a fit: Iteration counts
	// visits of blocks, ModelOrder is the number of blocks, Objective the mean loss
	// on the rows that are trained on. Gap is NaN.
	Recorder rkhs.Recorder
}

// Precision is the precision of features and of their products. Sums over many
// rows and all solutions are in double precision.
type Precision uint8

const (
	// DefaultPrecision leaves the choice to the task.
	DefaultPrecision Precision = iota
	// Double has 53 bits.
	Double
	// Single has 24 bits and takes about half the time. Features are wrong in the
	// seventh digit, the same at each visit; it is too little for regressions
	// whose noise is below some 1e-4 of the targets. Features that package
	// features has in double precision only stay so, and so do those of rows that
	// rounding to 24 bits would move: rows far from the origin beside their
	// distances.
	Single
)

// settings are Options with the defaults that need no data.
type settings struct {
	Options
	classes  int // 0 for a regression
	stream   bool
	lossOpen bool // whether the loss may be chosen; Revisit mode
}

const (
	defaultMemory      = 4 << 30
	defaultFeatures    = 32768
	defaultMaxFeatures = 16384
	maxFeatureValues   = 1 << 29 // rows times features up to which there may be more
	largestRidge       = 1e6
	largestSize        = 1 << 30 // of Features, Columns and Batch: multiples stay in range
)

// settings checks the options for a task of so many classes, 0 for a regression.
func (o *Options) settings(classes int, stream bool) (*settings, error) {
	s := &settings{classes: classes, stream: stream}
	if o != nil {
		s.Options = *o
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	s.CacheSize = cmp.Or(s.CacheSize, defaultCache)
	s.MemoryLimit = cmp.Or(s.MemoryLimit, defaultMemory)
	if s.Mode == Auto {
		s.Mode = s.defaultMode()
	}
	if s.Loss == nil {
		s.Loss, s.lossOpen = s.defaultLoss(), s.Mode == Revisit
	}
	if s.Precision == DefaultPrecision {
		s.Precision = Double
		if classes > 0 {
			s.Precision = Single
		}
	}
	return s, s.checkLoss()
}

func (s *settings) defaultMode() Mode {
	_, multi := s.Loss.(loss.Multiclass)
	if s.stream || multi && loss.Kinked(s.Loss) {
		return Newton
	}
	return Revisit
}

func (s *settings) defaultLoss() loss.Loss {
	switch {
	case s.classes == 0 || s.Mode == Revisit || s.Mode == Preconditioned:
		return loss.Squared{}
	case s.classes == 2:
		return loss.Logistic{}
	}
	return loss.Softmax{}
}

func (s *settings) check() error {
	return checkRanges([]ranged{
		{"Mode", float64(s.Mode), s.Mode <= Preconditioned},
		{"Features", float64(s.Features), inSize(s.Features)},
		{"Columns", float64(s.Columns), inSize(s.Columns) && s.Columns%2 == 0},
		{"Batch", float64(s.Batch), inSize(s.Batch)},
		{"Passes", float64(s.Passes), s.Passes >= 0},
		{"Ridge", s.Ridge, s.Ridge >= 0 && s.Ridge <= largestRidge},
		{"Centres", float64(s.Centres), s.Centres >= 0},
		{"Tolerance", s.Tolerance, s.Tolerance >= 0 && s.Tolerance < 1},
		{"Precision", float64(s.Precision), s.Precision <= Single},
		{"CacheSize", float64(s.CacheSize), s.CacheSize >= 0},
		{"MemoryLimit", float64(s.MemoryLimit), s.MemoryLimit >= 0},
		{"Workers", float64(s.Workers), s.Workers >= 0},
	})
}

// inSize reports whether n is a number of features or rows that can be computed with.
func inSize(n int) bool { return n >= 0 && n <= largestSize }

// ranged is a field of options, which says whether its value is in range.
type ranged struct {
	name  string
	value float64
	ok    bool
}

// checkRanges returns rkhs.ErrOption naming the first field that is out of range.
func checkRanges(fields []ranged) error {
	for _, f := range fields {
		if !f.ok {
			return fmt.Errorf("doublysgd: %s = %v is out of range: %w", f.name, f.value, rkhs.ErrOption)
		}
	}
	return nil
}

func (s *settings) checkLoss() error {
	if err := loss.Check(s.Loss); err != nil {
		return fmt.Errorf("doublysgd: Loss: %w", err)
	}
	_, multi := s.Loss.(loss.Multiclass)
	switch {
	case s.classes == 0 && (multi || loss.Margin(s.Loss)):
		return fmt.Errorf("doublysgd: Loss = %v is not one of numbers: %w", s.Loss, rkhs.ErrOption)
	case s.Mode == Revisit && multi && loss.Kinked(s.Loss):
		return fmt.Errorf("doublysgd: Loss = %v has no Revisit mode: %w", s.Loss, rkhs.ErrOption)
	case s.Mode == Preconditioned && loss.Kinked(s.Loss):
		return fmt.Errorf("doublysgd: Mode = Preconditioned needs a loss without kinks, Loss is %v: %w", s.Loss, rkhs.ErrOption)
	case (s.Mode == Revisit || s.Mode == Preconditioned) && s.stream:
		return fmt.Errorf("doublysgd: Mode = %v needs the data at hand: %w", s.Mode, rkhs.ErrOption)
	}
	return nil
}

func mebibytes[T int64 | float64](bytes T) string {
	return fmt.Sprintf("%.3g MiB", float64(bytes)/(1<<20))
}

// likeSquared reports whether l is a smooth loss of labels ±1 with the curvature of
// the squared loss, as the squared hinge is: the normal equations of the one serve the
// other.
func likeSquared(l loss.Loss) bool { return loss.Margin(l) && l.Curvature() == 1 }
