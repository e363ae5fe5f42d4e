package slkl

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl/internal/lasso"
)

// pkg is the name with which errors begin.
const pkg = "slkl"

// Order is the order in which the coordinate descent visits the columns.
type Order uint8

const (
	// Greedy takes the column whose exact step lowers the objective most.
	Greedy Order = iota
	// UniformRandom draws the column uniformly at random, as Algorithm 1 of the
	// paper does.
	UniformRandom
)

// Rule is how far the coordinate descent goes along one column.
type Rule uint8

const (
	// Minimum goes to the minimum along the coordinate. It never raises the
	// objective.
	Minimum Rule = iota
	// NewtonStep takes the step (19) of the paper with the true second derivative
	// 2·lam·a²·b. It can raise the objective where a weight decreases: the
	// quadratic model bounds the objective only for increases.
	NewtonStep
)

// largestFolds keeps the memory of the folds in the range of numbers.
const largestFolds = 1 << 20

// Options configures a fit. The zero value of each field means its default; nil
// means all defaults. A field that is set although another leaves it without a
// meaning is refused.
type Options struct {
	// Kernels are the base kernels; with several the fit learns their mixture. Default: the kernel
	// of least leave-one-out error of ridge regression on the landmarks, on up to 2000 rows. A
	// Learner, and a fit with a Penalty and no Noise, take the Gaussian of the median distance
	// of the landmarks.
	Kernels []kernel.Kernel
	// Metric says what linear map of the rows the search for the kernel may learn: weights of
	// the columns or a full matrix, kept where it is better beyond chance with the landmarks.
	// Default: kernel.AutoMetric.
	Metric kernel.Metric

	// MaxPoints is the number of landmarks drawn from the rows, without those that repeat another.
	// Default: 1000; 2000 where their error is more than 2 % above that of the kernel itself, and
	// 3000 where it is more than 10 %, as long as there are two rows a landmark; fewer where
	// MemoryLimit has no room, but no less than 100.
	MaxPoints int
	// Points, if given, holds the landmarks themselves, one a row.
	Points mat.Matrix

	// Penalty is nu, the weight of Σ mu_m in the objective (14), 1e-100 to 1e100. Default: chosen by cross-validation
	// for each output, or for all with Shared; with Noise it is the largest power of ten of PenaltyMax that costs no
	// more than 1 % of the squared error, or of what the model explains, and as small as makes ridge regression where
	// that takes no tenth of the columns out.
	Penalty float64
	// Noise, if positive, adds Noise·Σ_k ‖f_k‖² to the objective, for the part f_k of the k-th kernel: at a small
	// penalty the fit tends to kernel ridge regression on the landmarks, whose lam is Noise/n for n rows. Default:
	// chosen by cross-validation where neither Kernels nor Penalty are given; else none, as in the paper.
	Noise float64

	// Tolerance is the duality gap, as a fraction of the objective, at which a
	// solution is accepted; one that is not reached is then rkhs.ErrNotConverged.
	// Default: 1e-9, of which Status tells whether it was reached.
	Tolerance float64

	// Uncalibrated leaves out what Proba and Interval are made by: solutions without a part of the rows, which take
	// another 8·M² bytes but no pass over all rows; with LowMemory a fit each.
	Uncalibrated bool

	// MemoryLimit bounds the bytes that a fit may allocate. Default: 4 GiB.
	MemoryLimit int64

	// Seed selects the random streams: landmarks, folds, random order.
	Seed uint64
	// Workers bounds the goroutines. Default: GOMAXPROCS. It does not change the
	// result by a bit.
	Workers int
	// Recorder, if not nil, receives the progress. In "search" Done counts thousandths; in "rows" Iteration counts rows,
	// in "noise" and "penalty" values of these, in "solve" steps of the solver. Gap is NaN but in "solve", after the
	// coordinate descent.
	Recorder rkhs.Recorder

	// Paper holds options of the algorithm of the paper.
	Paper
}

// Paper holds the options of the algorithm of the paper, which a fit to data at hand rarely needs. The zero value of each
// field means its default.
type Paper struct {
	// PointRows, if given, are the rows of x that serve as landmarks, counted among those whose weight is
	// not zero.
	PointRows []int
	// Ridge is lam, the weight of the squared norm, 1e-100 to 1e100. Only the
	// product lam·nu shapes the function that is learned (Proposition 3).
	// Default: 1.
	Ridge float64
	// Folds is the number of folds of the cross-validation, up to 2²⁰, of which as many are
	// scored as hold 1000 rows. Default: 5.
	Folds int
	// PenaltyGrid are the values that the cross-validation tries, as falling fractions of the smallest penalty whose
	// solution is zero. Default without Noise: 10^-1, 10^-1.5, … 10^-10.
	PenaltyGrid []float64
	// NoIntercept leaves out the constant term, as the paper does.
	NoIntercept bool
	// Shared learns one mu for all outputs in place of one for each: a column is
	// in the model for all outputs or for none.
	Shared bool
	// Order and Rule select the coordinate descent. Default: Greedy and Minimum.
	Order Order
	Rule  Rule
	// Epsilon, if positive, runs the coordinate descent alone, until the objective falls by no more than this fraction
	// over as many steps as there are columns: the paper's stopping rule as it was meant. Default: steps on the
	// optimality conditions follow the descent, and finish to Tolerance.
	Epsilon float64
	// Iterations bounds the coordinate steps and the finishing steps of each
	// output. Default: 1000 times the number of columns.
	Iterations int
	// LowMemory computes columns on the fly and stores the active ones alone
	// (section 4.2 of the paper): O(n·m0 + m0²) memory in place of O(M²), for a
	// pass over all pairs of rows and landmarks at each round. Needs Penalty.
	LowMemory bool
	// SinglePrecision computes the kernel values of the pass over the rows in single precision, in about half the
	// time: good to about 1e-6. Sums and solutions stay in double precision, so that the certificates hold for these
	// columns. Not for LowMemory.
	SinglePrecision bool
}

// settings are Options with every default filled in that needs no data.
type settings struct {
	Options
	openNoise  bool // to be chosen by cross-validation, from Noise on
	openPoints bool // whether MaxPoints was left open
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
	s.MemoryLimit = cmp.Or(s.MemoryLimit, door.DefaultMemory)
	// A Learner outlives the call that got the lists.
	s.Kernels, s.PenaltyGrid = slices.Clone(s.Kernels), slices.Clone(s.PenaltyGrid)
	s.openNoise = s.Noise == 0 && s.Penalty == 0 && len(s.Kernels) == 0
	if s.openNoise {
		s.Noise = firstNoise
	}
	s.gridGiven = len(s.PenaltyGrid) > 0
	if s.Penalty == 0 {
		s.Folds = cmp.Or(s.Folds, 5)
		if len(s.PenaltyGrid) == 0 {
			s.PenaltyGrid = defaultGrid()
		}
	}
	if !s.descentAlone() {
		s.strict = s.Tolerance > 0
		s.Tolerance = cmp.Or(s.Tolerance, 1e-9)
	}
	return &s, nil
}

func defaultGrid() []float64 {
	g := make([]float64, 19)
	for i := range g {
		g[i] = math.Pow(10, -1-float64(i)/2)
	}
	return g
}

func (s *settings) check() error {
	if err := door.Ranges(pkg, []door.Field{
		{Name: "Metric", Value: float64(s.Metric), OK: s.Metric.Valid()},
		{Name: "MaxPoints", Value: float64(s.MaxPoints), OK: s.MaxPoints >= 0},
		{Name: "Penalty", Value: s.Penalty, OK: s.Penalty == 0 || door.WithinRange(s.Penalty)},
		{Name: "Ridge", Value: s.Ridge, OK: s.Ridge == 0 || door.WithinRange(s.Ridge)},
		{Name: "Noise", Value: s.Noise, OK: s.Noise == 0 || door.WithinRange(s.Noise)},
		{Name: "Folds", Value: float64(s.Folds), OK: s.Folds == 0 || s.Folds >= 2 && s.Folds <= largestFolds},
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
	if err := s.checkLists(); err != nil {
		return err
	}
	return s.checkUse()
}

func (s *settings) checkLists() error {
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
	return nil
}

// checkUse refuses what another option leaves without a meaning.
func (s *settings) checkUse() error {
	if s.LowMemory && s.Penalty == 0 {
		return fmt.Errorf("slkl: LowMemory needs Penalty: %w", rkhs.ErrOption)
	}
	for _, mode := range []struct {
		name   string
		chosen bool
		unused []door.Unused
	}{
		{"Points", s.Points != nil, []door.Unused{{Name: "PointRows", Set: s.PointRows != nil}, {Name: "MaxPoints", Set: s.MaxPoints > 0}}},
		{"PointRows", s.PointRows != nil, []door.Unused{{Name: "MaxPoints", Set: s.MaxPoints > 0}}},
		{"Kernels", len(s.Kernels) > 0, []door.Unused{{Name: "Metric", Set: s.Metric != kernel.AutoMetric}}},
		{"Penalty", s.Penalty > 0, []door.Unused{{Name: "Folds", Set: s.Folds > 0}, {Name: "PenaltyGrid", Set: len(s.PenaltyGrid) > 0}}},
		{"LowMemory", s.LowMemory, []door.Unused{{Name: "SinglePrecision", Set: s.SinglePrecision}, {Name: "Noise", Set: s.Noise > 0}}},
		{"Epsilon", s.descentAlone(), []door.Unused{{Name: "Tolerance", Set: s.Tolerance > 0}}},
	} {
		if !mode.chosen {
			continue
		}
		if err := door.Refuse(pkg, mode.name, mode.unused); err != nil {
			return err
		}
	}
	return nil
}

// descentAlone tells whether no solution is taken to Tolerance.
func (s *settings) descentAlone() bool { return s.Epsilon > 0 && !s.LowMemory }

// folds is the number of folds whose moments are kept apart.
func (s *settings) folds() int {
	if s.Penalty > 0 {
		return 1
	}
	return s.Folds
}

// method is how the solvers go about a problem.
func (s *settings) method() lasso.Method {
	return lasso.Method{Random: s.Order == UniformRandom, Newton: s.Rule == NewtonStep, Epsilon: s.Epsilon,
		Iterations: s.Iterations, Seed: s.Seed}
}
