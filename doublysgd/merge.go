package doublysgd

import (
	"fmt"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/doublysgd/internal/target"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/kernel"
)

// Merge makes one model of several that were learned apart in the same features: the mean of the
// functions, weighted by the rows that each has learned from, whose coefficients are the means of
// theirs. Features are the same where Options.Kernel, Seed, Features, Columns and Sampler are
// given and the same. With the ridge of all rows in place of that of a part, the mean has about the
// bias of one fit to all rows, and the variance that it adds falls with the rows of a part
// (Zhang, Duchi and Wainwright, "Divide and conquer kernel ridge regression", 2015). There are
// no intervals.
//
// Errors wrap rkhs.ErrEmpty for no models, rkhs.ErrUnfitted for one that is nil or zero,
// rkhs.ErrShape for models of different inputs, outputs or numbers of features, and rkhs.ErrOption
// for other features. O(D·q) for each model.
func Merge(models []*Model) (*Model, error) {
	if len(models) == 0 {
		return nil, fmt.Errorf("doublysgd: no models to merge: %w", rkhs.ErrEmpty)
	}
	total := 0.0
	for _, m := range models {
		if !m.fitted() {
			return nil, fmt.Errorf("doublysgd: Merge of a model that was not fitted: %w", rkhs.ErrUnfitted)
		}
		if err := models[0].checkFeatures(m); err != nil {
			return nil, err
		}
		total += float64(m.report.Rows)
	}
	first := models[0].f
	f := blocks.New(blocks.NewCache(first.features.Map, blocks.DefaultCache), first.features.Options, first.features.Outputs)
	units := target.Units{Offset: make([]float64, f.Outputs), Unit: slices.Clone(first.units.Unit)}
	report := unknown()
	report.Mode, report.Ridge = models[0].report.Mode, models[0].report.Ridge
	for _, m := range models {
		share := float64(m.report.Rows) / total
		for o, v := range m.f.units.Offset {
			units.Offset[o] += share * v
		}
		for b := range m.f.features.Count() {
			a := m.f.features.Coefficients(b)
			for o, unit := range m.f.units.Unit {
				blas64.Scal(share*unit/units.Unit[o], blas64.Vector{N: a.Rows, Inc: a.Stride, Data: a.Data[o:]})
			}
			f.Add(b, a)
		}
		report.Rows += m.report.Rows
		report.Status = max(report.Status, m.report.Status)
	}
	return newModel(f, units, report)
}

// MergeClassifiers merges classifiers as Merge does models. All must have the same labels, else
// the error wraps rkhs.ErrLabels, and the same loss, else rkhs.ErrOption. Probabilities are those of
// the loss, if it has any.
func MergeClassifiers(list []*Classifier) (*Classifier, error) {
	models := make([]*Model, len(list))
	for i, c := range list {
		models[i] = c.Model()
	}
	m, err := Merge(models)
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		if !slices.Equal(c.labels, list[0].labels) {
			return nil, fmt.Errorf("doublysgd: classifiers of labels %v and %v cannot merge: %w", list[0].labels, c.labels, rkhs.ErrLabels)
		}
		if !reflect.DeepEqual(c.loss, list[0].loss) {
			return nil, fmt.Errorf("doublysgd: losses %v and %v cannot merge: %w", list[0].loss, c.loss, rkhs.ErrOption)
		}
	}
	return newClassifier(m, list[0].labels, list[0].loss, calibrate.Sample{}), nil
}

// checkFeatures refuses to merge m with a model in other features.
func (m *Model) checkFeatures(other *Model) error {
	a, b := m.f.features, other.f.features
	switch {
	case a.Map.Dim() != b.Map.Dim() || a.Outputs != b.Outputs || a.Count() != b.Count() || a.Map.Columns() != b.Map.Columns():
		return fmt.Errorf("doublysgd: models of %d inputs, %d outputs and %d features and of %d, %d and %d cannot merge: %w",
			a.Map.Dim(), a.Outputs, m.report.Features, b.Map.Dim(), b.Outputs, other.report.Features, rkhs.ErrShape)
	case !kernel.Equal(a.Map.Kernel(), b.Map.Kernel()):
		return fmt.Errorf("doublysgd: kernels %v and %v cannot merge: %w", a.Map.Kernel(), b.Map.Kernel(), rkhs.ErrOption)
	case !reflect.DeepEqual(drawn(a.Options), drawn(b.Options)):
		return fmt.Errorf("doublysgd: features of %+v and of %+v cannot merge: %w", a.Options, b.Options, rkhs.ErrOption)
	}
	return nil
}

// drawn returns what the features of a block depend on beside the kernel.
func drawn(o features.Options) features.Options {
	o.Workers = 0
	return o
}
