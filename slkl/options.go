package slkl

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
)

// Order is the order in which the coordinate descent visits the columns.
type Order uint8

const (
	// Greedy takes the column whose exact step lowers the objective most.
	Greedy Order = iota
	// UniformRandom draws the column uniformly at random, as Algorithm 1 of the
	// paper does.
	UniformRandom
)

// Step is the step of the coordinate descent along one column.
type Step uint8

const (
	// Exact goes to the minimum along the coordinate. It never raises the
	// objective.
	Exact Step = iota
	// Newton takes the step (19) of the paper with the true second derivative
	// 2·lam·a²·b. It can raise the objective where a weight decreases: the
	// quadratic model bounds the objective only for increases.
	Newton
)

// Options configures a fit. The zero value of each field means its default; nil
// means all defaults.
type Options struct {
	// Kernels are the base kernels. A column belongs to each pair of a kernel and
	// a landmark, so that several kernels learn their mixture. Default: one
	// kernel.Gaussian whose Sigma is the median distance of up to 1000 rows.
	Kernels []kernel.Kernel

	// Landmarks is the number of landmarks drawn uniformly at random, without
	// replacement, from the rows; one that repeats another is left out. Default: 1000, or all rows if they are fewer;
	// a larger number than there are rows means all rows.
	Landmarks int
	// Rows, if given, are the rows of x that serve as landmarks.
	Rows []int
	// Points, if given, holds the landmarks themselves, one a row.
	Points mat.Matrix

	// Nu is the weight of Σ mu_m in the objective (14), 1e-100 to 1e100. Default:
	// chosen by cross-validation, for each output on its own unless Shared is set.
	Nu float64
	// Lambda is the ridge parameter lam, 1e-100 to 1e100. Only the product lam·nu
	// shapes the function that is learned (Proposition 3). Default: 1.
	Lambda float64
	// Folds is the number of folds of the cross-validation. Default: 5.
	Folds int
	// NuGrid are the values that the cross-validation tries, as fractions of the
	// smallest nu whose solution is zero. Default: 10^-1, 10^-1.5, … 10^-10, where
	// with more than 300 columns the search ends once the error has not fallen for
	// three values.
	NuGrid []float64

	// NoIntercept leaves out the constant term, as the paper does.
	NoIntercept bool
	// Shared learns one mu for all outputs in place of one for each: a column is
	// in the model for all outputs or for none.
	Shared bool

	// Order and Step select the coordinate descent. Default: Greedy and Exact.
	Order Order
	Step  Step
	// Epsilon, if positive, runs the coordinate descent alone, until the
	// objective falls by no more than the fraction Epsilon over as many steps as
	// there are columns: the paper's stopping rule as it was meant. Default: the
	// descent leads to the columns that matter, and steps on the optimality
	// conditions finish to Tolerance.
	Epsilon float64
	// Tolerance is the duality gap, as a fraction of the objective, at which a
	// solution is accepted. Default: 1e-9.
	Tolerance float64
	// MaxSteps bounds the coordinate steps and the finishing steps of each
	// output. Default: 1000 times the number of columns.
	MaxSteps int

	// LowMemory computes columns on the fly and stores the active ones alone
	// (section 4.2 of the paper): O(n·m0 + m0²) memory in place of O(M²), for a
	// pass over all pairs of rows and landmarks at each round. Needs Nu.
	LowMemory bool
	// Single computes the kernel values of the pass over the rows in single
	// precision, in about half the time, where kernel.Evaluator can: for kernels
	// good to about 1e-6. All sums and solutions stay in double precision, so that
	// the certificates hold as ever, for columns that are off by that much. Not for
	// LowMemory.
	Single bool
	// MemoryLimit bounds the bytes that a fit may allocate. Default: 4 GiB.
	MemoryLimit int64

	// Seed selects the random streams: landmarks, folds, random order.
	Seed uint64
	// Workers bounds the goroutines. Default: GOMAXPROCS. It does not change the
	// result by a bit.
	Workers int
	// Recorder, if not nil, receives the progress: Iteration counts rows in the
	// pass over them, with Objective and Gap NaN; then values of nu in the
	// cross-validation, likewise; then steps of the solver, where Gap is NaN in
	// the coordinate descent. Outputs that are solved side by side report in turns.
	Recorder rkhs.Recorder
}

// settings are Options with every default filled in that needs no data.
type settings struct {
	Options
}

func (o *Options) settings() (*settings, error) {
	var s settings
	if o != nil {
		s.Options = *o
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	s.Landmarks = cmp.Or(s.Landmarks, 1000)
	s.Lambda = cmp.Or(s.Lambda, 1)
	s.Folds = cmp.Or(s.Folds, 5)
	s.Tolerance = cmp.Or(s.Tolerance, 1e-9)
	s.MemoryLimit = cmp.Or(s.MemoryLimit, 4<<30)
	// An accumulator outlives the call that got the lists.
	s.Kernels, s.NuGrid = slices.Clone(s.Kernels), slices.Clone(s.NuGrid)
	if len(s.NuGrid) == 0 {
		s.NuGrid = defaultGrid()
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
	for _, f := range []struct {
		name  string
		value float64
		ok    bool
	}{
		{"Landmarks", float64(s.Landmarks), s.Landmarks >= 0},
		{"Nu", s.Nu, s.Nu == 0 || withinRange(s.Nu)},
		{"Lambda", s.Lambda, s.Lambda == 0 || withinRange(s.Lambda)},
		{"Folds", float64(s.Folds), s.Folds == 0 || s.Folds >= 2},
		{"Order", float64(s.Order), s.Order <= UniformRandom},
		{"Step", float64(s.Step), s.Step <= Newton},
		{"Epsilon", s.Epsilon, s.Epsilon >= 0 && s.Epsilon < 1},
		{"Tolerance", s.Tolerance, s.Tolerance >= 0 && s.Tolerance < 1},
		{"MaxSteps", float64(s.MaxSteps), s.MaxSteps >= 0},
		{"MemoryLimit", float64(s.MemoryLimit), s.MemoryLimit >= 0},
		{"Workers", float64(s.Workers), s.Workers >= 0},
	} {
		if !f.ok {
			return optionError(f.name, f.value)
		}
	}
	return s.checkLists()
}

func (s *settings) checkLists() error {
	for i, k := range s.Kernels {
		if k == nil {
			return fmt.Errorf("slkl: Kernels[%d] is nil: %w", i, rkhs.ErrOption)
		}
	}
	for i, f := range s.NuGrid {
		if !(f > 0 && f <= 1) || i > 0 && f >= s.NuGrid[i-1] {
			return fmt.Errorf("slkl: NuGrid[%d] = %v; want falling fractions in (0, 1]: %w", i, f, rkhs.ErrOption)
		}
	}
	if s.Rows != nil && s.Points != nil {
		return fmt.Errorf("slkl: both Rows and Points are given: %w", rkhs.ErrOption)
	}
	if s.LowMemory && s.Nu == 0 {
		return fmt.Errorf("slkl: LowMemory needs Nu: %w", rkhs.ErrOption)
	}
	if s.LowMemory && s.Single {
		return fmt.Errorf("slkl: LowMemory has no Single: %w", rkhs.ErrOption)
	}
	return nil
}

func optionError(name string, value float64) error {
	return fmt.Errorf("slkl: %s = %v is out of range: %w", name, value, rkhs.ErrOption)
}

func finite(v float64) bool { return v-v == 0 }

func mebibytes(bytes int64) string { return fmt.Sprintf("%.3g MiB", float64(bytes)/(1<<20)) }

// limit is the bound on the steps of a problem of m columns.
func (s *settings) limit(m int) int {
	if s.MaxSteps > 0 {
		return s.MaxSteps
	}
	return 1000 * m
}

// parts is the number of folds whose moments are kept apart.
func (s *settings) parts() int {
	if s.Nu > 0 {
		return 1
	}
	return s.Folds
}

// withinRange bounds lam and nu so that their products and quotients, and those
// with the squares of data, are far from the ends of the range of numbers.
func withinRange(v float64) bool { return v >= 1e-100 && v <= 1e100 }
