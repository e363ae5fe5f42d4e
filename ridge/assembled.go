package ridge

import (
	"fmt"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/kernel"
)

// NewModel returns the model of a function f that was solved for elsewhere, such as from sums
// over the rows of many machines, with its constants b, one for each column of the weights, and
// what is known of it; ModelOrder is set, and there are no intervals. Errors wrap
// rkhs.ErrShape for no points and for numbers of constants or of outputs of the report that
// do not fit, and what the kernel says of its points.
func NewModel(f kernel.Expansion, b []float64, report Report) (*Model, error) {
	if f.Points == nil || f.Weights == nil {
		return nil, fmt.Errorf("ridge: an expansion without points: %w", rkhs.ErrShape)
	}
	points, err := door.Points(pkg, "Points", f.Points)
	if err != nil {
		return nil, err
	}
	weights, err := door.Rows(pkg, "Weights", f.Weights)
	if err != nil {
		return nil, err
	}
	if weights.Rows != points.Rows || weights.Cols != len(b) {
		return nil, fmt.Errorf("ridge: %d points with %d×%d weights and %d constants: %w", points.Rows, weights.Rows, weights.Cols, len(b), rkhs.ErrShape)
	}
	if !compute.AllFinite(compute.ColumnOf(b)) {
		return nil, fmt.Errorf("ridge: constants %v: %w", b, rkhs.ErrNotFinite)
	}
	for _, list := range report.lists() {
		if n := len(*list); n != 0 && n != len(b) {
			return nil, fmt.Errorf("ridge: a report of %d outputs for %d: %w", n, len(b), rkhs.ErrShape)
		}
	}
	if err := gram.Check(f.Kernel, points); err != nil {
		return nil, fmt.Errorf("ridge: %w", err)
	}
	report = report.clone()
	report.ModelOrder = points.Rows
	term := expansion.Of(kernel.Clone(f.Kernel), points.Clone(), weights)
	return &Model{report: report, sum: model.NewSum(points.Cols, slices.Clone(b), []kernel.Expansion{term}, 0)}, nil
}

// NewClassifier returns the classifier of scores that were solved for elsewhere, for labels in
// ascending order: a column for each, or a single one of two labels, the larger of which it is
// positive for. Errors wrap rkhs.ErrUnfitted, rkhs.ErrLabels and rkhs.ErrShape.
func NewClassifier(scores *Model, labels []int) (*Classifier, error) {
	if err := door.Fitted(pkg, "NewClassifier", len(scores.function().Terms) > 0); err != nil {
		return nil, err
	}
	sorted, err := door.Announced(pkg, labels)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(sorted, labels) {
		return nil, fmt.Errorf("ridge: labels %v do not ascend: %w", labels, rkhs.ErrLabels)
	}
	outputs := len(labels)
	if outputs == 2 {
		outputs = 1
	}
	if _, q := scores.Dims(); q != outputs {
		return nil, fmt.Errorf("ridge: %d scores of %d labels: %w", q, len(labels), rkhs.ErrShape)
	}
	return &Classifier{model: scores, labels: sorted}, nil
}
