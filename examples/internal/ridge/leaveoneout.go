package ridge

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/kernel"
)

// LeaveOneOut returns the lam of the grid with the least squared error under
// leave-one-out cross-validation of FitCentred, the mean of y held fixed, and
// the mean of that error. One
// eigendecomposition of K serves all rows and every lam: O(n³), and O(n²) more
// for each lam. Source: Hastie, Tibshirani and Friedman, "The elements of
// statistical learning", second edition, 2009, section 7.10.1, with the smoother
// K(K + lam·I)⁻¹.
func LeaveOneOut(k kernel.Kernel, x *mat.Dense, y, grid []float64) (lam, least float64, err error) {
	centred, _ := centre(y)
	s, err := newSpectrum(k, x, centred)
	if err != nil {
		return 0, 0, err
	}
	least = math.Inf(1)
	for _, l := range grid {
		if e := s.leftOut(l); e < least {
			least, lam = e, l
		}
	}
	return lam, least / float64(len(y)), nil
}

// spectrum is K = U·diag(values)·Uᵀ and Uᵀy.
type spectrum struct {
	values []float64
	u      mat.Dense
	uy     mat.VecDense
}

func newSpectrum(k kernel.Kernel, x *mat.Dense, y []float64) (*spectrum, error) {
	var gram mat.SymDense
	if err := kernel.Gram(&gram, k, x); err != nil {
		return nil, err
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(&gram, true) {
		return nil, errors.New("ridge: the eigendecomposition of K did not converge")
	}
	s := &spectrum{values: eigen.Values(nil)}
	eigen.VectorsTo(&s.u)
	s.uy.MulVec(s.u.T(), mat.NewVecDense(len(y), y))
	return s, nil
}

// leftOut returns the sum of squares of the residuals that the rows have when
// each is left out in turn, w_i/((K + lam·I)⁻¹)_ii for w = (K + lam·I)⁻¹y.
func (s *spectrum) leftOut(lam float64) float64 {
	total := 0.0
	for i := range s.values {
		var weight, inverse float64
		for j, v := range s.u.RawRowView(i) {
			t := v / (max(0, s.values[j]) + lam) // rounding leaves values below 0
			weight += t * s.uy.AtVec(j)
			inverse += t * v
		}
		total += weight / inverse * (weight / inverse)
	}
	return total
}
