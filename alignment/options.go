package alignment

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// pkg is the name with which errors begin.
const pkg = "alignment"

// Options configures a search and a fit. The zero value of each field means its
// default; nil means all defaults. A field that a function or a family does not use
// must be left at zero.
type Options struct {
	// Criterion is what the kernel is chosen by. Default: LeaveOneOut.
	Criterion Criterion
	// Family is the kernel whose parameters are searched for: kernel.Gaussian, Laplacian, Matern and Dirichlet, or
	// kernel.ARD of one for a bandwidth a column, find where to start from the data; any other kernel.Parametric
	// starts from its own parameters. Default: kernel.Gaussian{}, which LeaveOneOut compares with
	// single kernels of the other families.
	Family kernel.Kernel

	// ValidationX and ValidationY hold rows and targets that are not learned from,
	// to choose Shrink, Ridge and C by, and between kernels. Default: HeldOut of the rows
	// are set aside for that, C is chosen by cross-validation, and the final kernel and
	// model are learned from all rows.
	ValidationX, ValidationY mat.Matrix

	// C are the weights of the errors of support vector machines, which FitClassifier
	// trains if C is given or Criterion is Alignment. Of several, the one with the fewest
	// errors is taken. Default: 10⁻⁵, 10⁻⁴·⁵, … 10⁵.
	C []float64
	// Ridge are the weights of the squared norm of ridge regression, which Fit uses, and
	// FitClassifier where it trains no machines. Of several, the one with the smallest
	// error on rows not learned from is taken. Default: 10⁻⁹, 10⁻⁸·⁵, … 10³ times the mean of
	// k(x, x).
	Ridge []float64

	// Uncalibrated leaves out what Proba and Interval are made by: of ridge regression on up to 8000 rows each row left
	// out, and else one to five other fits on the kernel.
	Uncalibrated bool
	// MemoryLimit bounds the bytes that a search or a fit may allocate. Default:
	// 4 GiB, of which kernel values in the cache of the support vector machine
	// take 256 MiB at most.
	MemoryLimit int64
	// Seed selects the random streams: rows of the search, rows held out.
	Seed uint64
	// Workers bounds the goroutines. Default: GOMAXPROCS. It does not change the
	// result by a bit.
	Workers int
	// Recorder, if not nil, receives the progress. The phase "search" compares kernels of one bandwidth, or values of
	// C. In "kernel" Iteration counts the kernels of a sum, and Objective is minus the alignment. "factor", "rows" and
	// "leave one out" count rows.
	Recorder rkhs.Recorder

	// Paper holds options of the algorithm of the paper.
	Paper
}

// Paper holds the options of the algorithm of the paper, which a fit to data at hand rarely needs. The zero value of each
// field means its default.
type Paper struct {
	// Low and High bound the parameter of a family that has one, or the bandwidth that columns have in common.
	// Default: of bandwidths, a tenth of the 0.1 % quantile of the distances between rows and ten times the largest; of
	// frequencies, a quarter of π/range and π·n^(1/d)/range.
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
	// Epsilon, if positive, starts from the matrix Epsilon·I, centred, as Algorithm 1 of the paper does with 1e-10;
	// the weights are then of its size. Default: start from the first kernel, and scale the sum so that its Gram
	// matrix on the rows has the trace n.
	Epsilon float64
	// Refit chooses all weights anew, when the last kernel is found, as those of
	// the largest alignment: least squares with nonnegative weights.
	Refit bool
	// Shrink are the weights lambda of the penalty that draws the bandwidths of the
	// columns together; families without those do not use it. Of several, the one of
	// the largest alignment on the validation rows is taken. Default: 0 and 10⁻⁴,
	// 10⁻³, … 10.
	Shrink []float64
	// HeldOut is that fraction, of each class the same. Default: 0.25.
	HeldOut float64
	// SearchRows is the number of rows that the kernel is learned from, drawn at
	// random if there are more. Default: all up to 5000, else 2000; for families
	// that are not functions of a distance, all up to 2000.
	SearchRows int
}

// settings are Options with every default filled in that needs no data.
type settings struct {
	Options
	// chooses reports whether anything is chosen on rows set aside, choosesShrink and
	// choosesRidge whether these are.
	chooses, choosesShrink, choosesRidge bool
	// machines reports whether FitClassifier trains support vector machines, open
	// whether no family was given.
	machines, open bool
	// twin is the family as it was given where that is a type that embeds Family, and
	// has parameters: its values are to agree.
	twin kernel.Kernel
}

// mode is the function that options are for, by its name.
type mode string

const (
	searching        mode = "Search"
	searchingClasses mode = "SearchClasses"
	fitting          mode = "Fit"
	classifying      mode = "FitClassifier"
)

// settings checks the options of a function.
func (o *Options) settings(m mode) (*settings, error) {
	var s settings
	if o != nil {
		s.Options = *o
	}
	if err := s.setFamily(); err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	s.setDefaults(m)
	if err := o.checkUnused(m, &s); err != nil {
		return nil, err
	}
	return &s, nil
}

// setFamily takes the family as it makes itself of its parameters, which a type that
// embeds a kernel leaves to that kernel: it is then the kernel that is embedded.
func (s *settings) setFamily() error {
	if s.open = s.Family == nil; s.open {
		s.Family = kernel.Gaussian{}
	}
	if v := reflect.ValueOf(s.Family); v.Kind() == reflect.Pointer && v.IsNil() {
		return fmt.Errorf("alignment: Family is nil: %w", rkhs.ErrOption)
	}
	facts := gram.Describe(s.Family)
	if !facts.Parametric() {
		return fmt.Errorf("alignment: Family %v has no parameters with gradients: %w", s.Family, rkhs.ErrOption)
	}
	if len(facts.Parameters) == 0 {
		return nil
	}
	valid := !slices.ContainsFunc(facts.Parameters, func(v float64) bool { return !door.WithinRange(v) })
	of := facts.WithParameters(facts.Parameters)
	if !gram.Describe(of).Parametric() {
		return fmt.Errorf("alignment: WithParameters of Family %v returns a kernel without parameters: %w", s.Family, rkhs.ErrOption)
	}
	if valid && !reflect.DeepEqual(of, s.Family) {
		s.twin = s.Family
	}
	s.Family = of
	return nil
}

func (s *settings) setDefaults(m mode) {
	s.MaxKernels = cmp.Or(s.MaxKernels, 50)
	s.Tolerance = cmp.Or(s.Tolerance, 1e-3)
	s.MaxStep = cmp.Or(s.MaxStep, 1)
	s.HeldOut = cmp.Or(s.HeldOut, 0.25)
	s.MemoryLimit = cmp.Or(s.MemoryLimit, door.DefaultMemory)
	s.Shrink = listOr(s.Shrink, []float64{0, 1e-4, 1e-3, 1e-2, 0.1, 1, 10})
	s.machines = m == classifying && (s.Criterion == Alignment || len(s.C) > 0)
	s.C = listOr(s.C, powers(-5, 5))
	s.choosesShrink = ofColumns(s.Family) && len(s.Shrink) > 1
	s.choosesRidge = len(s.Ridge) != 1 && (m == fitting || m == classifying && !s.machines)
	s.chooses = s.choosesShrink || s.choosesRidge || s.isotropicFamilies() != nil
}

// listOr returns a copy of list, or otherwise if it is empty.
func listOr(list, otherwise []float64) []float64 {
	if len(list) == 0 {
		return otherwise
	}
	return slices.Clone(list)
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
	fields := []door.Field{
		{Name: "Criterion", Value: float64(s.Criterion), OK: s.Criterion == LeaveOneOut || s.Criterion == Alignment},
		{Name: "Low", Value: s.Low, OK: s.Low == 0 || door.WithinRange(s.Low)},
		{Name: "High", Value: s.High, OK: s.High == 0 || door.WithinRange(s.High) && s.High >= s.Low},
		{Name: "MaxKernels", Value: float64(s.MaxKernels), OK: s.MaxKernels >= 0},
		{Name: "Tolerance", Value: s.Tolerance, OK: s.Tolerance >= 0 && s.Tolerance < 1},
		{Name: "MaxStep", Value: s.MaxStep, OK: s.MaxStep == 0 || door.WithinRange(s.MaxStep)},
		{Name: "Epsilon", Value: s.Epsilon, OK: s.Epsilon >= 0 && s.Epsilon <= 1},
		{Name: "HeldOut", Value: s.HeldOut, OK: s.HeldOut >= 0 && s.HeldOut < 1},
		{Name: "SearchRows", Value: float64(s.SearchRows), OK: s.SearchRows == 0 || s.SearchRows >= 2},
		{Name: "MemoryLimit", Value: float64(s.MemoryLimit), OK: s.MemoryLimit >= 0},
		{Name: "Workers", Value: float64(s.Workers), OK: s.Workers >= 0},
	}
	list := func(name string, values []float64, zero bool) {
		for i, v := range values {
			fields = append(fields, door.Field{Name: fmt.Sprintf("%s[%d]", name, i), Value: v, OK: door.WithinRange(v) || zero && v == 0})
		}
	}
	list("Shrink", s.Shrink, true)
	list("C", s.C, false)
	list("Ridge", s.Ridge, false)
	if (s.ValidationX == nil) != (s.ValidationY == nil) {
		return fmt.Errorf("alignment: of ValidationX and ValidationY one is nil: %w", rkhs.ErrOption)
	}
	return door.Ranges(pkg, fields)
}

// checkUnused refuses options that the function or the family does not use; s are
// those with their defaults.
func (o *Options) checkUnused(m mode, s *settings) error {
	if o == nil {
		return nil
	}
	given, search := o.ValidationX != nil, m == searching || m == searchingClasses
	for _, by := range []struct {
		name   string
		fields []door.Unused
	}{
		{string(m), []door.Unused{
			{Name: "C", Set: len(o.C) > 0 && m != classifying},
			{Name: "Ridge", Set: len(o.Ridge) > 0 && m != fitting && m != classifying},
			{Name: "Uncalibrated", Set: o.Uncalibrated && search},
		}},
		{fmt.Sprintf("Family = %v", s.Family), []door.Unused{
			{Name: "Shrink", Set: len(o.Shrink) > 0 && !ofColumns(s.Family)},
			{Name: "Low", Set: o.Low > 0 && !bounded(s.Family)},
			{Name: "High", Set: o.High > 0 && !bounded(s.Family)},
		}},
		{string(m) + " of support vector machines", []door.Unused{{Name: "Ridge", Set: len(o.Ridge) > 0 && s.machines}}},
		{string(m) + " with ValidationX", []door.Unused{{Name: "HeldOut", Set: o.HeldOut > 0 && given}}},
		{string(m) + " with nothing to choose", []door.Unused{
			{Name: "HeldOut", Set: o.HeldOut > 0 && !s.chooses},
			{Name: "ValidationX", Set: given && search && !s.chooses},
		}},
	} {
		if err := door.Refuse(pkg, by.name, by.fields); err != nil {
			return err
		}
	}
	return nil
}
