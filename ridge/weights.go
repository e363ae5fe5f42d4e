package ridge

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/linalg"
)

// pickWeights returns the weights of some rows, again of mean one, or nil without weights.
func pickWeights(weights compute.Weights, rows []int) compute.Weights {
	return door.MeanOne(weights.Pick(rows))
}

// centre subtracts the mean of each column, which it returns.
func centre(m compute.Matrix, weights compute.Weights) []float64 {
	if weights == nil {
		return linalg.CentreColumns(m)
	}
	// Once the plain mean is taken, what is summed up loses no digits to a large offset.
	means := linalg.CentreColumns(m)
	rest := weights.Means(m)
	for i := range m.Rows {
		floats.Sub(compute.Row(m, i), rest)
	}
	floats.Add(means, rest)
	return means
}
