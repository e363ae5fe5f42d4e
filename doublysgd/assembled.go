package doublysgd

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// NewModel returns the model of a function that was solved for elsewhere, such as from sums over
// the rows of many machines: the constants b, one an output, and the coefficients, D×q, of the
// features of whole blocks 0, 1, … of features.New(k, inputs, o), which are those of o.Seed;
// o has no Leverage. Features, ModelOrder and Units of the report are set; there are no
// intervals. Errors wrap rkhs.ErrShape, rkhs.ErrNotFinite, rkhs.ErrOption and those of
// features.New.
func NewModel(k kernel.Kernel, inputs int, o features.Options, coefficients mat.Matrix, b []float64, report Report) (*Model, error) {
	a, err := door.Rows(pkg, "coefficients", coefficients)
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

// NewClassifier returns the classifier of scores that were solved for elsewhere under the squared
// loss, for labels in ascending order: an output for each, or a single one of two labels, the
// larger of which it is positive for. Errors wrap rkhs.ErrUnfitted, rkhs.ErrLabels,
// rkhs.ErrShape and, of quantiles, rkhs.ErrOption.
func NewClassifier(scores *Model, labels []int) (*Classifier, error) {
	if err := door.Fitted(pkg, "NewClassifier", scores.fitted()); err != nil {
		return nil, err
	}
	if scores.Quantiles() != nil {
		return nil, fmt.Errorf("doublysgd: a model of Quantiles has no scores of labels: %w", rkhs.ErrOption)
	}
	sorted, err := door.Announced(pkg, labels)
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
