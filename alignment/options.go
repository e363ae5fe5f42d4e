package alignment

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
)

// pkg is the prefix of errors.
const pkg = "alignment"

// Options configures a search and a fit. The zero value of each field selects its default,
// and nil Options select all defaults. A field that the function or the family does not
// use must be zero.
type Options struct {
	// Criterion is the objective of the kernel search. Default: LeaveOneOut.
	Criterion Criterion
	// Family is the kernel with the parameters to search; see "Families". Default:
	// kernel.Gaussian{}, which LeaveOneOut compares with kernels of one bandwidth of other families.
	Family kernel.Kernel

	// ValidationX and ValidationY are additional rows and targets to select Shrink, Ridge,
	// C and the kernel on. Default: HeldOut of the rows, and cross-validation for C.
	ValidationX, ValidationY mat.Matrix

	// C lists candidates for the weight of the errors of support vector machines, which
	// FitClassifier trains if C is set or Criterion is Alignment. The one with the fewest
	// errors is selected. Default: 10⁻⁵, 10⁻⁴·⁵, … 10⁵.
	C []float64
	// Ridge lists candidates for the weight of the squared norm in ridge regression. The one
	// with the lowest error on unseen rows is selected. Default: 10⁻⁹, 10⁻⁸·⁵, … 10³ times
	// the mean of k(x, x).
	Ridge []float64

	// NoCalibration omits the calibration for Proba and Interval. Calibration uses
	// leave-one-out errors of exact ridge regression on up to 8000 rows, and one to five
	// additional fits otherwise.
	NoCalibration bool
	// MemoryLimit bounds the bytes that a search or a fit may allocate. Default: 4 GiB.
	MemoryLimit int64
	// Seed selects the random streams.
	Seed uint64
	// Workers bounds the goroutines. The result does not depend on it. Default: GOMAXPROCS.
	Workers int
	// Recorder, if not nil, receives the progress, see "Progress".
	Recorder rkhs.Recorder

	// Paper holds the options of the paper's algorithm.
	Paper
}

// Paper holds the options of the paper's algorithm. The zero value of each field selects
// its default.
type Paper struct {
	// Low and High bound the bandwidth that all columns share, or the frequency. Default for
	// bandwidths: 0.1 times the 0.1 % quantile and 10 times the maximum of the distances.
	// Default for frequencies: π/(4·range) and π·n^(1/d)/range.
	Low, High float64
	// MaxKernels bounds the number of kernels in the sum, T of the paper. Default: 50.
	MaxKernels int
	// Tolerance is the least gain in alignment for which a kernel is added, theta of the
	// paper. Default: 1e-3.
	Tolerance float64
	// MaxStep bounds the weight eta of a new kernel; the first has weight 1. Default: 1.
	MaxStep float64
	// Epsilon, if positive, starts the sum from the centred matrix Epsilon·I as Algorithm 1 of
	// the paper does; the weights are then of the order of Epsilon. Default: the sum starts
	// from the first kernel and is scaled to the trace n on the rows.
	Epsilon float64
	// Refit finally replaces the weights of the sum by the nonnegative weights of the
	// largest alignment.
	Refit bool
	// Shrink lists candidates for the weight lambda of the penalty on the spread of column
	// bandwidths. The one of the largest alignment on unseen rows is selected. Default: 0,
	// 10⁻⁴, 10⁻³, … 10.
	Shrink []float64
	// HeldOut is the fraction of the rows, equal in all classes, to select on before the
	// kernel and the model are fitted to all rows. Default: 0.25.
	HeldOut float64
	// SearchRows is the number of random rows for the search.
	// Default: up to 5000 all rows, otherwise 2000; families without a distance use at most 2000.
	SearchRows int
}

// settings are validated Options with all defaults that do not depend on data.
type settings struct {
	Options
	// selects reports whether anything is selected on rows set aside.
	selects, selectsShrink, selectsRidge bool
	labelled                             bool // the run has labels
	machines                             bool // FitClassifier trains support vector machines
	anyFamily                            bool // no family was given
	// embedding is the given Family if its type embeds the kernel in Options.Family. Both
	// must have the same values.
	embedding kernel.Kernel
}

// mode is the name of the called function.
type mode string

const (
	searching        mode = "Search"
	searchingClasses mode = "SearchClasses"
	fitting          mode = "Fit"
	classifying      mode = "FitClassifier"
)

// settings validates the options of a function.
func (o *Options) settings(m mode) (*settings, error) {
	o = cmp.Or(o, &Options{})
	s := settings{Options: *o}
	if err := s.setFamily(); err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	s.setDefaults(m)
	if err := s.checkUnused(m, o); err != nil {
		return nil, err
	}
	return &s, nil
}

// setFamily replaces a Family of a type that embeds a kernel by the embedded kernel, which its
// WithParameters returns.
func (s *settings) setFamily() error {
	if s.anyFamily = s.Family == nil; s.anyFamily {
		s.Family = kernel.Gaussian{}
	}
	if input.IsNil(s.Family) {
		return fmt.Errorf("alignment: Family is nil: %w", rkhs.ErrOption)
	}
	d := gram.Describe(s.Family)
	if !d.Parametric() {
		return fmt.Errorf("alignment: Family %v has no parameters with gradients: %w", s.Family, rkhs.ErrOption)
	}
	if len(d.Parameters) == 0 {
		return nil
	}
	of := d.WithParameters(d.Parameters)
	if !gram.Describe(of).Parametric() {
		return fmt.Errorf("alignment: WithParameters of Family %v returns a kernel without parameters: %w", s.Family, rkhs.ErrOption)
	}
	invalid := slices.ContainsFunc(d.Parameters, func(v float64) bool { return !input.WithinRange(v) })
	if !invalid && !reflect.DeepEqual(of, s.Family) {
		s.embedding = s.Family
	}
	s.Family = of
	return nil
}

func (s *settings) setDefaults(m mode) {
	s.MaxKernels = cmp.Or(s.MaxKernels, 50)
	s.Tolerance = cmp.Or(s.Tolerance, 1e-3)
	s.MaxStep = cmp.Or(s.MaxStep, 1)
	s.HeldOut = cmp.Or(s.HeldOut, 0.25)
	s.MemoryLimit = cmp.Or(s.MemoryLimit, input.DefaultMemory)
	s.labelled = m == searchingClasses || m == classifying
	s.machines = m == classifying && (s.Criterion == Alignment || len(s.C) > 0)
	if len(s.Shrink) == 0 {
		s.Shrink = []float64{0, 1e-4, 1e-3, 1e-2, 0.1, 1, 10}
	}
	if len(s.C) == 0 {
		s.C = nil
		for k := -10; k <= 10; k++ {
			s.C = append(s.C, math.Pow(10, float64(k)/2))
		}
	}
	s.selectsShrink = hasScales(s.Family) && len(s.Shrink) > 1
	s.selectsRidge = len(s.Ridge) != 1 && (m == fitting || m == classifying && !s.machines)
	s.selects = s.selectsShrink || s.selectsRidge || s.isotropicFamilies() != nil
}

func (s *settings) check() error {
	fields := []input.Field{
		{Name: "Criterion", Value: float64(s.Criterion), OK: s.Criterion == LeaveOneOut || s.Criterion == Alignment},
		{Name: "Low", Value: s.Low, OK: s.Low == 0 || input.WithinRange(s.Low)},
		{Name: "High", Value: s.High, OK: s.High == 0 || input.WithinRange(s.High) && s.High >= s.Low},
		{Name: "MaxKernels", Value: float64(s.MaxKernels), OK: s.MaxKernels >= 0},
		{Name: "Tolerance", Value: s.Tolerance, OK: s.Tolerance >= 0 && s.Tolerance < 1},
		{Name: "MaxStep", Value: s.MaxStep, OK: s.MaxStep == 0 || input.WithinRange(s.MaxStep)},
		{Name: "Epsilon", Value: s.Epsilon, OK: s.Epsilon >= 0 && s.Epsilon <= 1},
		{Name: "HeldOut", Value: s.HeldOut, OK: s.HeldOut >= 0 && s.HeldOut < 1},
		{Name: "SearchRows", Value: float64(s.SearchRows), OK: s.SearchRows == 0 || s.SearchRows >= 2},
		{Name: "MemoryLimit", Value: float64(s.MemoryLimit), OK: s.MemoryLimit >= 0},
		{Name: "Workers", Value: float64(s.Workers), OK: s.Workers >= 0},
	}
	list := func(name string, values []float64, zero bool) {
		for i, v := range values {
			fields = append(fields, input.Field{Name: fmt.Sprintf("%s[%d]", name, i), Value: v, OK: input.WithinRange(v) || zero && v == 0})
		}
	}
	list("Shrink", s.Shrink, true)
	list("C", s.C, false)
	list("Ridge", s.Ridge, false)
	if (s.ValidationX == nil) != (s.ValidationY == nil) {
		return fmt.Errorf("alignment: of ValidationX and ValidationY one is nil: %w", rkhs.ErrOption)
	}
	return input.Ranges(pkg, fields)
}

// checkUnused returns an error for a field of o that the function or the family does not
// use.
func (s *settings) checkUnused(m mode, o *Options) error {
	validates, search := o.ValidationX != nil, m == searching || m == searchingClasses
	return cmp.Or(
		input.Refuse(pkg, string(m), []input.Unused{
			{Name: "C", Set: len(o.C) > 0 && m != classifying},
			{Name: "Ridge", Set: len(o.Ridge) > 0 && search},
			{Name: "NoCalibration", Set: o.NoCalibration && search},
		}),
		input.Refuse(pkg, fmt.Sprintf("Family = %v", s.Family), []input.Unused{
			{Name: "Shrink", Set: len(o.Shrink) > 0 && !hasScales(s.Family)},
			{Name: "Low", Set: o.Low > 0 && !hasRange(s.Family)},
			{Name: "High", Set: o.High > 0 && !hasRange(s.Family)},
		}),
		input.Refuse(pkg, string(m)+" of support vector machines", []input.Unused{
			{Name: "Ridge", Set: len(o.Ridge) > 0 && s.machines},
		}),
		input.Refuse(pkg, string(m)+" with ValidationX", []input.Unused{
			{Name: "HeldOut", Set: o.HeldOut > 0 && validates},
		}),
		input.Refuse(pkg, string(m)+" without a selection", []input.Unused{
			{Name: "HeldOut", Set: o.HeldOut > 0 && !s.selects},
			{Name: "ValidationX", Set: validates && search && !s.selects},
		}),
	)
}
