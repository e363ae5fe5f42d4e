package slkl

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl/internal/lasso"
)

// pkg is the prefix of errors.
const pkg = "slkl"

// Order is the order in which the coordinate descent visits the columns.
type Order uint8

const (
	// Greedy visits the column with the largest decrease of the objective.
	Greedy Order = iota
	// UniformRandom draws the column uniformly, as in Algorithm 1 of the paper.
	UniformRandom
)

// Rule is the step of the coordinate descent along one column.
type Rule uint8

const (
	// Minimum steps to the minimum along the coordinate. It never raises the objective.
	Minimum Rule = iota
	// NewtonStep is the step (19) of the paper with the true second derivative 2·lam·a²·b. It can
	// raise the objective where a weight decreases.
	NewtonStep
)

// Options configures a fit. The zero value of each field selects its default, and nil selects all
// defaults. A field without effect in the selected mode is an error.
type Options struct {
	// Kernels are the base kernels; the fit learns a mixture of several. Default: the kernel with the
	// lowest leave-one-out error of ridge regression on the landmarks (see "Defaults").
	Kernels []kernel.Kernel
	// Metric is the linear map of the rows that the kernel search may learn. Default:
	// kernel.AutoMetric, which keeps a map that predicts significantly better.
	Metric kernel.Metric

	// MaxPoints is the number of landmarks drawn from the rows; duplicates are dropped. Default: 1000,
	// and up to 3000 where they lose accuracy (see "Defaults").
	MaxPoints int
	// Points holds given landmarks, one in each row.
	Points mat.Matrix

	// Penalty is nu, the weight of Σ mu_m in the objective (14), from 1e-100 to 1e100. Default:
	// selected by cross-validation for each output, or for all with Shared.
	Penalty float64
	// Noise, if positive, adds Noise·Σ_k ‖f_k‖² to the objective for the part f_k of kernel k.
	// Default: selected by cross-validation if neither Kernels nor Penalty is given; else 0.
	Noise float64

	// Tolerance is the relative duality gap of the solution. If it is given and not reached, the error
	// is rkhs.ErrNotConverged. Default: 1e-9, and the Status reports whether it was reached.
	Tolerance float64

	// NoCalibration skips the calibration, without which there is no Proba and no Interval. It saves
	// 8·M² bytes and the refits without some of the rows.
	NoCalibration bool

	// MemoryLimit bounds the memory of a fit in bytes. Default: 4 GiB.
	MemoryLimit int64

	// Seed selects the random streams of landmarks, folds and UniformRandom.
	Seed uint64
	// Workers bounds the goroutines and does not change the result. Default: GOMAXPROCS.
	Workers int
	// Recorder receives the progress, unless it is nil. Iteration counts rows in phase "rows", trials
	// in "noise" and "penalty", and steps in "solve"; Done counts thousandths in "search". Gap is NaN
	// until the coordinate descent ends.
	Recorder rkhs.Recorder

	// Paper holds the options of the paper.
	Paper
}

// Paper holds options of the algorithm in the paper. The zero value of each field selects its
// default.
type Paper struct {
	// PointRows lists the rows of x that serve as landmarks, counted among the rows with positive
	// weight.
	PointRows []int
	// Ridge is lam, the weight of the squared norm, from 1e-100 to 1e100. Only the product lam·nu
	// affects the learned function (Proposition 3). Default: 1.
	Ridge float64
	// Folds is the number of folds of the cross-validation, up to 2²⁰. Only as many folds are scored
	// as hold 1000 rows. Default: 5.
	Folds int
	// PenaltyGrid lists the penalties of the cross-validation as falling fractions of PenaltyMax.
	// Default: 10^-1, 10^-1.5, … 10^-10 without Noise; with Noise see "The norm".
	PenaltyGrid []float64
	// NoIntercept omits the constant term, as the paper does.
	NoIntercept bool
	// Shared learns one mu for all outputs, so that a column is active for all or no outputs.
	Shared bool
	// Order and Rule configure the coordinate descent. Default: Greedy and Minimum.
	Order Order
	Rule  Rule
	// Epsilon, if positive, stops the fit when M coordinate steps reduce the objective by at most this
	// fraction (the rule of the paper, corrected). Default: the solver continues to Tolerance.
	Epsilon float64
	// Iterations bounds the steps for each output. Default: 1000 times the number of columns.
	Iterations int
	// LowMemory recomputes columns and stores only the active set (section 4.2 of the paper). Memory is
	// O(n·m0 + m0²) instead of O(M²), and each round costs a pass over the rows. It needs Penalty.
	LowMemory bool
	// SinglePrecision evaluates kernels in single precision, in half the time and with an error of
	// about 1e-6. Sums and solutions remain in double precision. Not available with LowMemory.
	SinglePrecision bool
}

// settings are Options with all defaults that do not depend on data.
type settings struct {
	Options
	openNoise  bool // whether cross-validation selects the noise, starting at Noise
	openPoints bool // whether the number of landmarks is not given
	gridGiven  bool
	strict     bool // whether Tolerance was given
}

func (o *Options) settings() (*settings, error) {
	var s settings
	if o != nil {
		s.Options = *o
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	s.openPoints = s.MaxPoints == 0 && s.Points == nil && s.PointRows == nil
	s.MaxPoints = cmp.Or(s.MaxPoints, 1000)
	s.Ridge = cmp.Or(s.Ridge, 1)
	s.MemoryLimit = cmp.Or(s.MemoryLimit, input.DefaultMemory)
	// A Learner keeps the lists.
	s.Kernels, s.PenaltyGrid = slices.Clone(s.Kernels), slices.Clone(s.PenaltyGrid)
	s.openNoise = s.Noise == 0 && s.Penalty == 0 && len(s.Kernels) == 0
	if s.openNoise {
		s.Noise = firstNoise
	}
	s.gridGiven = len(s.PenaltyGrid) > 0
	if s.Penalty == 0 {
		s.Folds = cmp.Or(s.Folds, 5)
		for i := 0; i < 19 && !s.gridGiven; i++ {
			s.PenaltyGrid = append(s.PenaltyGrid, math.Pow(10, -1-float64(i)/2))
		}
	}
	if !s.descentAlone() {
		s.strict = s.Tolerance > 0
		s.Tolerance = cmp.Or(s.Tolerance, 1e-9)
	}
	return &s, nil
}

// maxFolds bounds the memory of the folds.
const maxFolds = 1 << 20

func (s *settings) check() error {
	if err := input.Ranges(pkg, []input.Field{
		{Name: "Metric", Value: float64(s.Metric), OK: s.Metric.Valid()},
		{Name: "MaxPoints", Value: float64(s.MaxPoints), OK: s.MaxPoints >= 0},
		{Name: "Penalty", Value: s.Penalty, OK: s.Penalty == 0 || input.WithinRange(s.Penalty)},
		{Name: "Ridge", Value: s.Ridge, OK: s.Ridge == 0 || input.WithinRange(s.Ridge)},
		{Name: "Noise", Value: s.Noise, OK: s.Noise == 0 || input.WithinRange(s.Noise)},
		{Name: "Folds", Value: float64(s.Folds), OK: s.Folds == 0 || s.Folds >= 2 && s.Folds <= maxFolds},
		{Name: "Order", Value: float64(s.Order), OK: s.Order <= UniformRandom},
		{Name: "Rule", Value: float64(s.Rule), OK: s.Rule <= NewtonStep},
		{Name: "Epsilon", Value: s.Epsilon, OK: s.Epsilon >= 0 && s.Epsilon < 1},
		{Name: "Tolerance", Value: s.Tolerance, OK: s.Tolerance >= 0 && s.Tolerance < 1},
		{Name: "Iterations", Value: float64(s.Iterations), OK: s.Iterations >= 0},
		{Name: "MemoryLimit", Value: float64(s.MemoryLimit), OK: s.MemoryLimit >= 0},
		{Name: "Workers", Value: float64(s.Workers), OK: s.Workers >= 0},
	}); err != nil {
		return err
	}
	for i, k := range s.Kernels {
		if k == nil {
			return fmt.Errorf("slkl: Kernels[%d] is nil: %w", i, rkhs.ErrOption)
		}
	}
	for i, f := range s.PenaltyGrid {
		if !(f > 0 && f <= 1) || i > 0 && f >= s.PenaltyGrid[i-1] {
			return fmt.Errorf("slkl: PenaltyGrid[%d] = %v; want falling fractions in (0, 1]: %w", i, f, rkhs.ErrOption)
		}
	}
	return s.checkUse()
}

// checkUse returns an error for an option without effect.
func (s *settings) checkUse() error {
	if s.LowMemory && s.Penalty == 0 {
		return fmt.Errorf("slkl: LowMemory needs Penalty: %w", rkhs.ErrOption)
	}
	points := input.Unused{Name: "MaxPoints", Set: s.MaxPoints > 0}
	for _, mode := range []struct {
		name     string
		selected bool
		unused   []input.Unused
	}{
		{"Points", s.Points != nil, []input.Unused{{Name: "PointRows", Set: s.PointRows != nil}, points}},
		{"PointRows", s.PointRows != nil, []input.Unused{points}},
		{"Kernels", len(s.Kernels) > 0, []input.Unused{{Name: "Metric", Set: s.Metric != kernel.AutoMetric}}},
		{"Penalty", s.Penalty > 0,
			[]input.Unused{{Name: "Folds", Set: s.Folds > 0}, {Name: "PenaltyGrid", Set: len(s.PenaltyGrid) > 0}}},
		{"LowMemory", s.LowMemory,
			[]input.Unused{{Name: "SinglePrecision", Set: s.SinglePrecision}, {Name: "Noise", Set: s.Noise > 0}}},
		{"Epsilon", s.descentAlone(), []input.Unused{{Name: "Tolerance", Set: s.Tolerance > 0}}},
	} {
		if !mode.selected {
			continue
		}
		if err := input.Refuse(pkg, mode.name, mode.unused); err != nil {
			return err
		}
	}
	return nil
}

// forLearner returns an error for options that a learner does not have.
func (s *settings) forLearner() error {
	if s.LowMemory {
		return fmt.Errorf("slkl: a learner has no LowMemory mode: %w", rkhs.ErrOption)
	}
	return nil
}

// descentAlone reports whether the solver ignores Tolerance.
func (s *settings) descentAlone() bool { return s.Epsilon > 0 && !s.LowMemory }

// folds returns the number of folds, 1 without cross-validation.
func (s *settings) folds() int {
	if s.Penalty > 0 {
		return 1
	}
	return s.Folds
}

// problems returns the problems of sums. The default of Iterations is 1000·M if iterations is 0.
func (s *settings) problems(sums *lasso.Sums, iterations int) []*lasso.Problem {
	method := lasso.Method{Random: s.Order == UniformRandom, Newton: s.Rule == NewtonStep, Epsilon: s.Epsilon,
		Iterations: cmp.Or(s.Iterations, iterations), Seed: s.Seed}
	return sums.Problems(s.Shared, method, s.Workers)
}
