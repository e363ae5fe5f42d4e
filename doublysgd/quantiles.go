package doublysgd

import (
	"fmt"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// learnQuantiles sets the losses of the quantiles, if there are any. They share what a fit
// of the one in the middle would choose.
func (s *settings) learnQuantiles() {
	if len(s.Quantiles) == 0 {
		s.Quantiles = nil
		return
	}
	s.Quantiles = slices.Clone(s.Quantiles)
	s.Loss = loss.Pinball{Tau: s.Quantiles[len(s.Quantiles)/2]}
	for _, tau := range s.Quantiles {
		s.each = append(s.each, loss.Pinball{Tau: tau})
	}
}

// ascend reports whether quantiles ascend between 0 and 1.
func ascend(taus []float64) bool {
	last := 0.0
	for _, tau := range taus {
		if !(tau > last && tau < 1) {
			return false
		}
		last = tau
	}
	return true
}

// targets returns those of each output: y, or its one column for each of the quantiles.
func (s *settings) targets(y compute.Matrix) (compute.Matrix, error) {
	if s.each == nil {
		return y, nil
	}
	if y.Cols != 1 {
		return y, fmt.Errorf("doublysgd: y has %d columns, Quantiles are those of 1: %w", y.Cols, rkhs.ErrShape)
	}
	copies := compute.NewMatrix(y.Rows, len(s.each))
	for i := range copies.Rows {
		for o := range s.each {
			copies.Data[i*copies.Stride+o] = compute.Row(y, i)[0]
		}
	}
	return copies, nil
}
