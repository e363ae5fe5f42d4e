package doublysgd

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// pkg is the prefix of errors of this package.
const pkg = "doublysgd"

// settings are validated Options with the defaults that do not depend on data.
type settings struct {
	Options
	classes  int           // 0 for a regression
	each     []loss.Scalar // the loss of each output, or nil for a common loss
	stream   bool
	lossOpen bool // whether Fit selects the loss; Revisit mode
}

// settings validates the options for a number of classes, 0 for a regression.
func (o *Options) settings(classes int, stream bool) (*settings, error) {
	s := &settings{classes: classes, stream: stream}
	if o != nil {
		s.Options = *o
	}
	if err := s.checkRanges(); err != nil {
		return nil, err
	}
	if s.Loss != nil {
		if err := loss.Check(s.Loss); err != nil {
			return nil, fmt.Errorf("doublysgd: Loss: %w", err)
		}
	}
	if s.Mode == Auto {
		s.Mode = s.defaultMode()
	}
	if err := s.checkUnused(); err != nil {
		return nil, err
	}
	s.learnQuantiles()
	s.CacheSize = cmp.Or(s.CacheSize, blocks.DefaultCache)
	s.MemoryLimit = cmp.Or(s.MemoryLimit, input.DefaultMemory)
	s.Work = cmp.Or(s.Work, defaultWork)
	if s.Loss == nil {
		s.Loss, s.lossOpen = s.defaultLoss(), s.Mode == Revisit
	}
	if s.Precision == AutoPrecision && classes > 0 {
		s.Precision = Single
	}
	return s, s.checkLoss()
}

func (s *settings) defaultMode() Mode {
	if s.stream || s.Loss != nil && !s.revisits() {
		return Newton
	}
	return Revisit
}

// revisits reports whether Revisit mode supports the loss. It does not support multiclass losses
// with kinks.
func (s *settings) revisits() bool {
	_, multi := s.Loss.(loss.Multiclass)
	return !(multi && loss.Kinked(s.Loss))
}

func (s *settings) defaultLoss() loss.Loss {
	switch {
	case s.classes == 0 || s.Mode == Revisit:
		return loss.Squared{}
	case s.classes == 2:
		return loss.Logistic{}
	}
	return loss.Softmax{}
}

func (s *settings) checkRanges() error {
	if err := input.Ranges(pkg, []input.Field{
		{Name: "Mode", Value: float64(s.Mode), OK: s.Mode <= Plain},
		{Name: "Metric", Value: float64(s.Metric), OK: s.Metric.Valid()},
		{Name: "Passes", Value: float64(s.Passes), OK: s.Passes >= 0},
		{Name: "Tolerance", Value: s.Tolerance, OK: s.Tolerance >= 0 && s.Tolerance < 1},
		{Name: "Work", Value: s.Work, OK: s.Work >= 0},
		{Name: "Precision", Value: float64(s.Precision), OK: s.Precision <= Single},
	}); err != nil {
		return err
	}
	if !ascend(s.Quantiles) {
		return fmt.Errorf("doublysgd: Quantiles = %v must ascend between 0 and 1: %w", s.Quantiles, rkhs.ErrOption)
	}
	c := s.config()
	return c.Check()
}

// unused names the options that have no effect in each mode.
var unused = map[Mode][]string{
	Revisit: {"Batch", "LastIterate"},
	Newton:  {"Ridge", "Tolerance", "LastIterate", "Precision"},
	Plain:   {"Tolerance", "Precision"},
}

// unusedByStreams names the options that have no effect on streams.
var unusedByStreams = []string{"Quantiles", "Metric", "Passes", "Work", "NoCalibration", "Recorder"}

// checkUnused returns rkhs.ErrOption if an option is set that has no effect on the fit.
func (s *settings) checkUnused() error {
	set := map[string]bool{
		"Batch": s.Batch > 0, "LastIterate": s.LastIterate, "Ridge": s.Ridge > 0, "Tolerance": s.Tolerance > 0,
		"Loss": s.Loss != nil, "Quantiles": len(s.Quantiles) > 0, "Metric": s.Metric != kernel.AutoMetric,
		"Precision": s.Precision != AutoPrecision, "Passes": s.Passes > 0, "Work": s.Work > 0,
		"NoCalibration": s.NoCalibration, "Recorder": s.Recorder != nil,
	}
	for _, rule := range []struct {
		applies bool
		where   string
		names   []string
	}{
		{s.Kernel != nil, "a given Kernel", []string{"Metric"}},
		{s.classes > 0, "a classification", []string{"Quantiles"}},
		{len(s.Quantiles) > 0, "a fit of Quantiles", []string{"Loss", "NoCalibration"}},
		{true, "Mode = " + s.Mode.String(), unused[s.Mode]},
		{s.stream, "a learner", unusedByStreams},
	} {
		var fields []input.Unused
		for _, name := range rule.names {
			fields = append(fields, input.Unused{Name: name, Set: rule.applies && set[name]})
		}
		if err := input.Refuse(pkg, rule.where, fields); err != nil {
			return err
		}
	}
	return nil
}

func (s *settings) checkLoss() error {
	_, multi := s.Loss.(loss.Multiclass)
	switch {
	case s.classes == 0 && (multi || loss.Margin(s.Loss)):
		return fmt.Errorf("doublysgd: Loss = %v is not one of numbers: %w", s.Loss, rkhs.ErrOption)
	case s.Mode == Revisit && !s.revisits():
		return fmt.Errorf("doublysgd: Loss = %v has no Revisit mode: %w", s.Loss, rkhs.ErrOption)
	case s.Mode == Revisit && s.stream:
		return fmt.Errorf("doublysgd: Mode = %v needs the data at hand: %w", s.Mode, rkhs.ErrOption)
	}
	return nil
}

// config returns the options of Newton and Plain mode.
func (s *settings) config() descent.Config {
	return descent.Config{
		Package: pkg, Kernel: s.Kernel, Sampler: features.Sampler(s.Sampler), Newton: s.Mode == Newton, LastIterate: s.LastIterate,
		Features: s.Features, Columns: s.Columns, Batch: s.Batch, Ridge: s.Ridge,
		CacheSize: s.CacheSize, MemoryLimit: s.MemoryLimit, Seed: s.Seed, Workers: s.Workers,
	}
}

// sizes returns the number of features of a block and of rows of a batch for n rows.
func (s *settings) sizes(n int) (columns, batch int) {
	c := s.config()
	if s.Mode == Revisit {
		return c.Width(min(s.revisitColumns(n), descent.RoundUp(2*n, 64))), 0
	}
	return c.Sizes(n)
}

// revisitColumns returns the number of features of a block. Larger blocks need fewer passes and more
// work for normal equations.
func (s *settings) revisitColumns(n int) int {
	most := 1 << 24
	if s.Precision == Single {
		most = 1 << 26
	}
	columns := 1024
	for columns < 2048 && 2*columns*n <= most {
		columns *= 2
	}
	return columns
}

// learnQuantiles sets the losses of the quantiles. The middle one selects the hyperparameters of
// all.
func (s *settings) learnQuantiles() {
	if len(s.Quantiles) == 0 {
		s.Quantiles = nil
		return
	}
	s.Quantiles = slices.Clone(s.Quantiles)
	s.Loss = loss.Pinball{Tau: s.Quantiles[len(s.Quantiles)/2]}
	for _, tau := range s.Quantiles {
		s.each = append(s.each, loss.Pinball{Tau: tau})
	}
}

// ascend reports whether quantiles ascend in (0, 1).
func ascend(taus []float64) bool {
	last := 0.0
	for _, tau := range taus {
		if !(tau > last && tau < 1) {
			return false
		}
		last = tau
	}
	return true
}

// targets returns y, or one copy of its single column for each quantile.
func (s *settings) targets(y compute.Matrix) (compute.Matrix, error) {
	if s.each == nil {
		return y, nil
	}
	if y.Cols != 1 {
		return y, fmt.Errorf("doublysgd: y has %d columns, Quantiles are those of 1: %w", y.Cols, rkhs.ErrShape)
	}
	copies := compute.NewMatrix(y.Rows, len(s.each))
	for i := range copies.Rows {
		for o := range s.each {
			copies.Data[i*copies.Stride+o] = compute.Row(y, i)[0]
		}
	}
	return copies, nil
}

// unitsOf returns the units of targets. A regression has the best constant and 1.4826 times the
// median absolute deviation. Targets ±1 have their mean if the loss is squared or shares its
// normal equations. Other targets have no units.
func unitsOf(y compute.Matrix, weights []float64, l loss.Loss, each []loss.Scalar, classes int) descent.Units {
	switch {
	case classes == 0:
		return (&descent.Risk{Scalar: l.(loss.Scalar), Each: each, Weights: weights}).BestConstants(y)
	case loss.Quadratic(l) || sharesNormalEquations(l):
		return descent.TargetMeans(y)
	}
	return descent.NoUnits(y.Cols)
}

// outputsFor returns the number of outputs for a number of classes.
func outputsFor(l loss.Loss, classes int) int {
	if _, multi := l.(loss.Multiclass); !multi && classes == 2 {
		return 1
	}
	return classes
}
