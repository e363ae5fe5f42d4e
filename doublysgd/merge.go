package doublysgd

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/door"
)

// Merge makes one model of this and others that were learned apart in the same features: the
// mean of the functions, weighted by the rows that each has learned from, or alike if no report
// tells them, whose coefficients are the means of theirs. Features are the same where Options.Kernel, Seed, Features, Columns and
// Sampler are given and the same. With the ridge of all rows in place of that of a part, the mean
// has about the bias of one fit to all rows, and the variance that it adds falls with the rows of
// a part (Zhang, Duchi and Wainwright, "Divide and conquer kernel ridge regression", 2015). There
// are no intervals.
//
// Errors wrap rkhs.ErrUnfitted for a model that is nil or zero, rkhs.ErrShape for models of
// different inputs, outputs or numbers of features, and rkhs.ErrOption for other features or
// quantiles. O(D·q) for each model.
func (m *Model) Merge(others ...*Model) (*Model, error) {
	list, total := append([]*Model{m}, others...), 0.0
	for _, part := range list {
		if err := door.Fitted(pkg, "Merge", part.fitted()); err != nil {
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

// Merge merges classifiers as that of Model does. All must have the same labels, else the error
// wraps rkhs.ErrLabels, and the same loss, else rkhs.ErrOption. Probabilities are those of the
// loss, if it has any.
func (c *Classifier) Merge(others ...*Classifier) (*Classifier, error) {
	var models []*Model
	for _, part := range append([]*Classifier{c}, others...) {
		if err := door.Fitted(pkg, "Merge", part.Model().fitted()); err != nil {
			return nil, err
		}
		if !slices.Equal(c.labels, part.labels) { // of which there may be as many outputs, or not
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
