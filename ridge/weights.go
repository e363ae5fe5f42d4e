package ridge

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/linalg"
)

// pickWeights returns the weights of some rows, again of mean one, or nil without weights.
func pickWeights(weights []float64, rows []int) []float64 {
	if weights == nil {
		return nil
	}
	w := make([]float64, len(rows))
	for k, i := range rows {
		w[k] = weights[i]
	}
	return door.MeanOne(w)
}

// centre subtracts the mean of each column, which it returns.
func centre(m compute.Matrix, weights []float64) []float64 {
	if weights == nil {
		return linalg.CentreColumns(m)
	}
	// Once the plain mean is taken, what is summed up loses no digits to a large offset.
	means, rest := linalg.CentreColumns(m), make([]float64, m.Cols)
	for i, w := range weights {
		floats.AddScaled(rest, w/float64(m.Rows), compute.Row(m, i))
	}
	for i := range m.Rows {
		floats.Sub(compute.Row(m, i), rest)
	}
	floats.Add(means, rest)
	return means
}

// squares returns Σ_i w_i·m_ij² of each column.
func squares(m compute.Matrix, weights []float64) []float64 {
	if weights == nil {
		return compute.ColumnDots(m, m)
	}
	weighed := compute.Clone(m)
	for i, w := range weights {
		floats.Scale(w, compute.Row(weighed, i))
	}
	return compute.ColumnDots(weighed, m)
}

// inverses returns 1/w_i.
func inverses(weights []float64) []float64 {
	var v []float64
	for _, w := range weights {
		v = append(v, 1/w)
	}
	return v
}
