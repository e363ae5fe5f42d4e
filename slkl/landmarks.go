package slkl

import (
	"encoding/binary"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// drawnPoints returns a copy of the landmarks that the options ask for among the rows
// x, or outside them.
func drawnPoints(s *settings, x compute.Matrix) (compute.Matrix, error) {
	if s.Points != nil {
		return givenPoints(s.Points, x.Cols)
	}
	rows := s.PointRows
	if rows == nil {
		rows = rng.New(s.Seed, "slkl landmarks", 0).Sample(x.Rows, min(s.MaxPoints, x.Rows))
	}
	if len(rows) == 0 {
		return compute.Matrix{}, fmt.Errorf("slkl: PointRows is empty: %w", rkhs.ErrOption)
	}
	for i, r := range rows {
		if r < 0 || r >= x.Rows {
			return compute.Matrix{}, fmt.Errorf("slkl: PointRows[%d] = %d with %d rows of x: %w", i, r, x.Rows, rkhs.ErrOption)
		}
	}
	return distinct(compute.Pick(x, rows)), nil
}

func givenPoints(points mat.Matrix, inputs int) (compute.Matrix, error) {
	p, err := door.Rows(pkg, "Points", points)
	if err == nil && p.Cols != inputs {
		err = fmt.Errorf("slkl: Points has %d columns, x has %d: %w", p.Cols, inputs, rkhs.ErrShape)
	}
	return distinct(p), err
}

// distinct returns the rows of p without those that repeat an earlier one: their
// columns would only share its weight. It overwrites p.
func distinct(p compute.Matrix) compute.Matrix {
	seen := map[string]bool{}
	kept := 0
	var key []byte
	for i := range p.Rows {
		key = key[:0]
		for _, v := range compute.Row(p, i) {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v))
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			copy(compute.Row(p, kept), compute.Row(p, i))
			kept++
		}
	}
	return compute.Rows(p, 0, kept)
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
func checkKernels(kernels []kernel.Kernel, x compute.Matrix) error {
	for _, k := range kernels {
		if err := kernel.Check(k, x); err != nil {
			return fmt.Errorf("slkl: %w", err)
		}
	}
	return nil
}
