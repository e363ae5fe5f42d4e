package alignment

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
)

// Options configures a search and a fit. The zero value of each field means its
// default; nil means all defaults.
type Options struct {
	// Family is the kernel whose parameters are searched for, such as
	//
	//	kernel.Gaussian{}                           one bandwidth
	//	kernel.Laplacian{}, kernel.Matern{Nu: 1.5}  likewise
	//	kernel.Dirichlet{}                          one frequency
	//	kernel.ARD{Of: kernel.Gaussian{}}           a bandwidth for each column
	//
	// or any other that gives its gradient. The families named here find where to
	// search from the data. Parameters of all others must be given, and are
	// searched for within a factor of e⁶ of what they are. Default:
	// kernel.Gaussian{}.
	Family kernel.Parametric
	// Low and High bound the parameter of a family that has one. Default: for
	// bandwidths, a tenth of the 0.1 % quantile of the distances between rows and
	// ten times the largest; for frequencies, a quarter of π/range and the
	// frequency that the rows can resolve, π·n^(1/d)/range.
	Low, High float64
	// MaxKernels is the largest number of kernels in the sum, T of the paper.
	// Default: 50.
	MaxKernels int
	// Tolerance is the least gain in alignment for which a kernel is added, theta
	// of the paper. Default: 1e-3.
	Tolerance float64
	// MaxStep is the largest weight eta that a kernel may enter with; the first
	// has weight one. Default: 1.
	MaxStep float64
	// Epsilon, if positive, starts from the matrix Epsilon·I, centred, as
	// Algorithm 1 of the paper does, and leaves the weights as they come out.
	// Those are then of the size of Epsilon as a rule, and a kernel like that is of
	// little use; the paper has 1e-10. Default: start from the first kernel, and
	// scale the sum so that its Gram matrix on the rows has the trace n.
	Epsilon float64
	// Refit chooses all weights anew, when the last kernel is found, as those of
	// the largest alignment: least squares with nonnegative weights.
	Refit bool
	// Shrink are the weights lambda of the penalty that draws the bandwidths of
	// kernel.ARD together. Of several, the one of the largest alignment on the
	// validation rows is taken. Default: 0 and 10⁻⁴, 10⁻³, … 10.
	Shrink []float64

	// ValidationX and ValidationY hold rows and targets that are not learned from,
	// to choose Shrink, C and Ridge by. Default: Holdout of the rows are set aside
	// for that, and the final kernel and model are learned from all rows.
	ValidationX, ValidationY mat.Matrix
	// Holdout is that fraction. Default: 0.25.
	Holdout float64
	// SearchRows is the number of rows that the kernel is learned from, drawn at
	// random if there are more. Default: all up to 5000, else 2000; for families
	// that are not functions of a distance, all up to 2000.
	SearchRows int

	// C are the weights of the errors of the support vector machine. Of several,
	// the one with the fewest errors on the validation rows is taken. Default:
	// 10⁻⁵, 10⁻⁴·⁵, … 10⁵.
	C []float64
	// Ridge are the weights of the norm of the regression. Of several, the one
	// with the smallest squared error on the validation rows is taken. Default:
	// 10⁻⁸, 10⁻⁷·⁵, … 10³.
	Ridge []float64

	// MemoryLimit bounds the bytes that a search or a fit may allocate. Default:
	// 4 GiB, of which kernel values in the cache of the support vector machine
	// take 256 MiB at most.
	MemoryLimit int64
	// Seed selects the random streams: rows of the search, rows set aside.
	Seed uint64
	// Workers bounds the goroutines. Default: GOMAXPROCS. It does not change the
	// result by a bit.
	Workers int
	// Recorder, if not nil, receives the progress: Iteration counts kernels, then
	// values of Shrink, C or Ridge; Objective is minus the alignment in the
	// search.
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
	if s.Family == nil {
		s.Family = kernel.Gaussian{}
	}
	s.MaxKernels = cmp.Or(s.MaxKernels, 50)
	s.Tolerance = cmp.Or(s.Tolerance, 1e-3)
	s.MaxStep = cmp.Or(s.MaxStep, 1)
	s.Holdout = cmp.Or(s.Holdout, 0.25)
	s.MemoryLimit = cmp.Or(s.MemoryLimit, 4<<30)
	if len(s.Shrink) == 0 {
		s.Shrink = []float64{0, 1e-4, 1e-3, 1e-2, 0.1, 1, 10}
	}
	if len(s.C) == 0 {
		s.C = powers(-5, 5)
	}
	if len(s.Ridge) == 0 {
		s.Ridge = powers(-8, 3)
	}
	s.Shrink, s.C, s.Ridge = slices.Clone(s.Shrink), slices.Clone(s.C), slices.Clone(s.Ridge)
	return &s, nil
}

// powers returns 10^from, 10^(from+½), … 10^to.
func powers(from, to int) []float64 {
	var p []float64
	for k := 2 * from; k <= 2*to; k++ {
		p = append(p, math.Pow(10, float64(k)/2))
	}
	return p
}

func (s *settings) check() error {
	for _, f := range []struct {
		name  string
		value float64
		ok    bool
	}{
		{"Low", s.Low, s.Low == 0 || withinRange(s.Low)},
		{"High", s.High, s.High == 0 || withinRange(s.High) && s.High >= s.Low},
		{"MaxKernels", float64(s.MaxKernels), s.MaxKernels >= 0},
		{"Tolerance", s.Tolerance, s.Tolerance >= 0 && s.Tolerance < 1},
		{"MaxStep", s.MaxStep, s.MaxStep == 0 || withinRange(s.MaxStep)},
		{"Epsilon", s.Epsilon, s.Epsilon >= 0 && s.Epsilon <= 1},
		{"Holdout", s.Holdout, s.Holdout >= 0 && s.Holdout < 1},
		{"SearchRows", float64(s.SearchRows), s.SearchRows == 0 || s.SearchRows >= 2},
		{"MemoryLimit", float64(s.MemoryLimit), s.MemoryLimit >= 0},
		{"Workers", float64(s.Workers), s.Workers >= 0},
	} {
		if !f.ok {
			return optionError(f.name, f.value)
		}
	}
	if (s.ValidationX == nil) != (s.ValidationY == nil) {
		return fmt.Errorf("alignment: of ValidationX and ValidationY one is nil: %w", rkhs.ErrOption)
	}
	return s.checkLists()
}

func (s *settings) checkLists() error {
	for _, l := range []struct {
		name string
		list []float64
		zero bool
	}{{"Shrink", s.Shrink, true}, {"C", s.C, false}, {"Ridge", s.Ridge, false}} {
		for i, v := range l.list {
			if !(withinRange(v) || l.zero && v == 0) {
				return optionError(fmt.Sprintf("%s[%d]", l.name, i), v)
			}
		}
	}
	return nil
}

func optionError(name string, value float64) error {
	return fmt.Errorf("alignment: %s = %v is out of range: %w", name, value, rkhs.ErrOption)
}

// withinRange keeps squares and their products far from the ends of the range of
// numbers.
func withinRange(v float64) bool { return v >= 1e-100 && v <= 1e100 }
