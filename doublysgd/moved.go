package doublysgd

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
)

// Moved returns the model of f(x) + b + Σ_b φ_b(x)·S_b, for a step S that was found elsewhere, such
// as from the gradients of rows on many machines: the steps of the coefficients, D×q, the blocks of
// Features one below the other, and of the constants b, one an output, both in the units of the
// targets. Of Quantiles the functions move, before their values are ordered. The report keeps Mode,
// Status, Rows and Ridge; what the fit has measured is NaN, and there are no intervals.
//
// Errors wrap rkhs.ErrUnfitted for a model that is nil or zero, rkhs.ErrShape and rkhs.ErrNotFinite
// for a step that is not such, and rkhs.ErrDiverged where the sum is not finite. O(D·q).
func (m *Model) Moved(coefficients mat.Matrix, b []float64) (*Model, error) {
	if err := door.Fitted(pkg, "Moved", m.fitted()); err != nil {
		return nil, err
	}
	a, err := door.Rows(pkg, "coefficients", coefficients)
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
	moved, err := newModel(f, units.Shifted(shift), report)
	if err == nil {
		moved.f.quantiles = m.f.quantiles
	}
	return moved, err
}

// Moved moves the scores as that of Model does. Probabilities are those of the loss, if it has any.
func (c *Classifier) Moved(coefficients mat.Matrix, b []float64) (*Classifier, error) {
	m, err := c.Model().Moved(coefficients, b)
	if err != nil {
		return nil, err
	}
	return newClassifier(m, c.labels, c.loss, calibrate.Sample{}), nil
}
