package slkl

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// drawnPoints returns a copy of the landmarks that the options ask for among the rows
// x, or outside them.
func drawnPoints(s *settings, x compute.Points) (compute.Points, error) {
	if s.Points != nil {
		return givenPoints(s.Points, x.Cols)
	}
	rows := s.PointRows
	if rows == nil {
		rows = rng.New(s.Seed, "slkl landmarks", 0).Sample(x.Rows, min(s.MaxPoints, x.Rows))
	}
	if len(rows) == 0 {
		return compute.Points{}, fmt.Errorf("slkl: PointRows is empty: %w", rkhs.ErrOption)
	}
	for i, r := range rows {
		if r < 0 || r >= x.Rows {
			return compute.Points{}, fmt.Errorf("slkl: PointRows[%d] = %d with %d rows of x: %w", i, r, x.Rows, rkhs.ErrOption)
		}
	}
	return distinct(x.Pick(rows)), nil
}

func givenPoints(points mat.Matrix, inputs int) (compute.Points, error) {
	p, err := door.Points(pkg, "Points", points)
	if err == nil && p.Cols != inputs {
		err = fmt.Errorf("slkl: Points has %d columns, x has %d: %w", p.Cols, inputs, rkhs.ErrShape)
	}
	if err != nil {
		return compute.Points{}, err
	}
	return distinct(p), nil
}

// distinct returns a copy of the rows of p without those that repeat an earlier one: their
// columns would only share its weight.
func distinct(p compute.Points) compute.Points {
	seen := map[string]bool{}
	var kept []int
	var key []byte
	for i := range p.Rows {
		key = p.AppendKey(key[:0], i)
		if !seen[string(key)] {
			seen[string(key)] = true
			kept = append(kept, i)
		}
	}
	return p.Pick(kept)
}

// ownKernels returns copies of the given kernels.
func ownKernels(given []kernel.Kernel) []kernel.Kernel {
	own := make([]kernel.Kernel, len(given))
	for i, k := range given {
		own[i] = kernel.Clone(k)
	}
	return own
}

// checkKernels refuses parameters that are out of range and rows on which a
// kernel is not defined.
func checkKernels(kernels []kernel.Kernel, x compute.Points) error {
	for _, k := range kernels {
		if err := kernel.CheckPoints(k, x); err != nil {
			return fmt.Errorf("slkl: %w", err)
		}
	}
	return nil
}
