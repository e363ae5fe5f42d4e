package gp

import (
	"context"

	"gonum.org/v1/gonum/mat"
)

// BoundedVariance returns the variances of a model with amplitude 1 at the rows of x,
// converged or not, and the bound of their relative errors.
func BoundedVariance(m *Model, x mat.Matrix) ([]float64, float64, error) {
	rows, s, err := m.solver(context.Background(), x)
	if err != nil {
		return nil, 0, err
	}
	defer s.monitor.Close()
	v, err := s.variances(rows)
	return v, s.report.Error, err
}
