package search

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// MeanDiagonal returns the mean of k(x, x), the unit of ridges. It returns
// rkhs.ErrDiverged if the mean is not finite.
func MeanDiagonal(pkg string, of gram.Evaluator, x compute.Points) (float64, error) {
	diag := make([]float64, x.Rows)
	of.DiagOf(diag, x)
	mean := compute.Mean(diag)
	if !compute.Finite(mean) {
		return 0, fmt.Errorf("%s: the mean of k(x, x) is %v: %w", pkg, mean, rkhs.ErrDiverged)
	}
	return mean, nil
}
