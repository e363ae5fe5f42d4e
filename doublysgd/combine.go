package doublysgd

import (
	"fmt"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// NewModel returns a model with given parameters, for example from sums over the rows of many
// machines. They are the constant b of each output and the coefficients, D×q, of complete blocks 0,
// 1, … of features.New(k, inputs, o). o must have no Leverage. NewModel sets Features, ModelOrder
// and Units of the report. The model has no intervals. Errors wrap rkhs.ErrShape,
// rkhs.ErrNotFinite, rkhs.ErrOption and the errors of features.New.
func NewModel(k kernel.Kernel, inputs int, o features.Options, coefficients mat.Matrix, b []float64, report Report) (*Model, error) {
	a, err := input.Rows(pkg, "coefficients", coefficients)
	if err != nil {
		return nil, err
	}
	if o.Leverage != nil {
		return nil, fmt.Errorf("doublysgd: features of a model have no Leverage: %w", rkhs.ErrOption)
	}
	f, err := blocks.Zero(kernel.Clone(k), inputs, a.Cols, blocks.EngineOptions(o), blocks.DefaultCache)
	if err != nil {
		return nil, prefixed(err)
	}
	// Of kernels with finitely many features a block has fewer than are asked for.
	columns := f.Map.Columns()
	if a.Rows%columns != 0 || len(b) != a.Cols {
		return nil, fmt.Errorf("doublysgd: %d×%d coefficients and %d constants for blocks of %d features: %w", a.Rows, a.Cols, len(b), columns, rkhs.ErrShape)
	}
	if !compute.AllFinite(compute.ColumnOf(b)) {
		return nil, fmt.Errorf("doublysgd: constants %v: %w", b, rkhs.ErrNotFinite)
	}
	for i := range a.Rows / columns {
		f.Add(i, compute.Clone(compute.Rows(a, i*columns, (i+1)*columns)))
	}
	units := descent.NoUnits(a.Cols)
	units.Offset = slices.Clone(b)
	return newModel(f, units, report)
}

// NewClassifier returns a classifier with the given scores, fitted under the squared loss. Labels
// are ascending, one for each output, or two for a single output that is positive for the larger
// label. Errors wrap rkhs.ErrUnfitted, rkhs.ErrLabels, rkhs.ErrShape, and rkhs.ErrOption for
// quantiles.
func NewClassifier(scores *Model, labels []int) (*Classifier, error) {
	if err := input.Fitted(pkg, "NewClassifier", scores.fitted()); err != nil {
		return nil, err
	}
	if scores.Quantiles() != nil {
		return nil, fmt.Errorf("doublysgd: a model of Quantiles has no scores of labels: %w", rkhs.ErrOption)
	}
	sorted, err := input.Announced(pkg, labels)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(sorted, labels) {
		return nil, fmt.Errorf("doublysgd: labels %v do not ascend: %w", labels, rkhs.ErrLabels)
	}
	l := loss.Squared{}
	if _, q := scores.Dims(); q != outputsFor(l, len(labels)) {
		return nil, fmt.Errorf("doublysgd: %d scores of %d labels: %w", q, len(labels), rkhs.ErrShape)
	}
	return newClassifier(scores, labels, l, calibrate.Sample{}), nil
}

// Merge returns the mean of models that were fitted separately in the same features, weighted by
// Report.Rows, or unweighted if no report has rows. The features are the same for equal
// Options.Kernel, Seed, Features, Columns and Sampler. With the ridge of all rows, the mean has
// about the bias of a single fit. The additional variance decreases with the rows of a part (Zhang,
// Duchi and Wainwright, "Divide and conquer kernel ridge regression", 2015). It has no intervals.
//
// Errors wrap rkhs.ErrUnfitted, rkhs.ErrShape for different dimensions or numbers of features, and
// rkhs.ErrOption for other features or quantiles. O(D·q) for each model.
func (m *Model) Merge(others ...*Model) (*Model, error) {
	list, total := append([]*Model{m}, others...), 0.0
	for _, part := range list {
		if err := input.Fitted(pkg, "Merge", part.fitted()); err != nil {
			return nil, err
		}
		if err := m.f.features.CheckAlike(part.f.features); err != nil {
			return nil, prefixed(err)
		}
		if !slices.Equal(m.f.quantiles, part.f.quantiles) {
			return nil, fmt.Errorf("doublysgd: models of Quantiles %v and %v cannot merge: %w", m.f.quantiles, part.f.quantiles, rkhs.ErrOption)
		}
		total += float64(part.report.Rows)
	}
	first := m.f.features
	f := blocks.New(blocks.NewCache(first.Map, blocks.DefaultCache), first.Options, first.Outputs)
	units := descent.Units{Offset: make([]float64, f.Outputs), Unit: slices.Clone(m.f.units.Unit)}
	report := unknown()
	report.Mode, report.Ridge = m.report.Mode, m.report.Ridge
	for _, part := range list {
		share, factors := 1/float64(len(list)), make([]float64, f.Outputs)
		if total > 0 { // else of NewModel, with no rows in the report
			share = float64(part.report.Rows) / total
		}
		for o, unit := range part.f.units.Unit {
			factors[o] = share * unit / units.Unit[o]
			units.Offset[o] += share * part.f.units.Offset[o]
		}
		f.AddShare(part.f.features, factors)
		report.Rows += part.report.Rows
		report.Status = max(report.Status, part.report.Status)
	}
	merged, err := newModel(f, units, report)
	if err == nil {
		merged.f.quantiles = m.f.quantiles
	}
	return merged, err
}

// Merge merges classifiers as Model.Merge does. Different labels are rkhs.ErrLabels, different
// losses rkhs.ErrOption. Probabilities come from the loss.
func (c *Classifier) Merge(others ...*Classifier) (*Classifier, error) {
	var models []*Model
	for _, part := range append([]*Classifier{c}, others...) {
		if err := input.Fitted(pkg, "Merge", part.Model().fitted()); err != nil {
			return nil, err
		}
		if !slices.Equal(c.labels, part.labels) { // the numbers of outputs may be equal
			return nil, fmt.Errorf("doublysgd: classifiers of labels %v and %v cannot merge: %w", c.labels, part.labels, rkhs.ErrLabels)
		}
		if !reflect.DeepEqual(c.loss, part.loss) {
			return nil, fmt.Errorf("doublysgd: losses %v and %v cannot merge: %w", c.loss, part.loss, rkhs.ErrOption)
		}
		models = append(models, part.Model())
	}
	m, err := models[0].Merge(models[1:]...)
	if err != nil {
		return nil, err
	}
	return newClassifier(m, c.labels, c.loss, calibrate.Sample{}), nil
}

// Updated returns the model of f(x) + b + Σ_b φ_b(x)·S_b for a given step, for example from gradients
// on many machines. The step has coefficients S, D×q, in the order of Features, and a constant b for
// each output, in units of the targets. It updates quantiles before they are sorted. The report keeps
// Mode, Status, Rows and Ridge; the model has no intervals.
//
// Errors wrap rkhs.ErrUnfitted, rkhs.ErrShape, rkhs.ErrNotFinite, and rkhs.ErrDiverged if the sum is
// not finite. O(D·q).
func (m *Model) Updated(coefficients mat.Matrix, b []float64) (*Model, error) {
	if err := input.Fitted(pkg, "Updated", m.fitted()); err != nil {
		return nil, err
	}
	a, err := input.Rows(pkg, "coefficients", coefficients)
	if err != nil {
		return nil, err
	}
	f, units := m.f.features.Clone(), m.f.units
	columns := f.Map.Columns()
	if a.Rows != f.Count()*columns || a.Cols != f.Outputs || len(b) != f.Outputs {
		return nil, fmt.Errorf("doublysgd: a step of %d×%d coefficients and %d constants for %d features and %d outputs: %w", a.Rows, a.Cols, len(b), f.Count()*columns, f.Outputs, rkhs.ErrShape)
	}
	if !compute.AllFinite(compute.ColumnOf(b)) {
		return nil, fmt.Errorf("doublysgd: a step of the constants %v: %w", b, rkhs.ErrNotFinite)
	}
	shift := make([]float64, f.Outputs)
	for o, unit := range units.Unit {
		shift[o] = b[o] / unit
		for i := range a.Rows {
			a.Data[i*a.Stride+o] /= unit
		}
	}
	for i := range f.Count() {
		f.Add(i, compute.Rows(a, i*columns, (i+1)*columns))
	}
	report := unknown()
	report.Mode, report.Status, report.Rows, report.Ridge = m.report.Mode, m.report.Status, m.report.Rows, m.report.Ridge
	updated, err := newModel(f, units.Shifted(shift), report)
	if err == nil {
		updated.f.quantiles = m.f.quantiles
	}
	return updated, err
}

// Updated updates the scores as Model.Updated does. Probabilities come from the loss.
func (c *Classifier) Updated(coefficients mat.Matrix, b []float64) (*Classifier, error) {
	m, err := c.Model().Updated(coefficients, b)
	if err != nil {
		return nil, err
	}
	return newClassifier(m, c.labels, c.loss, calibrate.Sample{}), nil
}
