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

// landmarks returns a copy of the landmarks that the options ask for; x has
// passed the door.
func (s *settings) landmarks(x mat.Matrix) (compute.Matrix, error) {
	n, d := x.Dims()
	if s.Points != nil {
		return s.givenPoints(d)
	}
	rows := s.Rows
	if rows == nil {
		rows = rng.New(s.Seed, "slkl landmarks", 0).Sample(n, min(s.Landmarks, n))
	}
	if len(rows) == 0 {
		return compute.Matrix{}, fmt.Errorf("slkl: Rows is empty: %w", rkhs.ErrOption)
	}
	p := compute.NewMatrix(len(rows), d)
	for i, r := range rows {
		if r < 0 || r >= n {
			return compute.Matrix{}, fmt.Errorf("slkl: Rows[%d] = %d with %d rows of x: %w", i, r, n, rkhs.ErrOption)
		}
		door.Copy(compute.Rows(p, i, i+1), x, r)
	}
	return distinct(p), nil
}

// distinct returns the rows of p without those that repeat an earlier one: their
// columns would only share its weight.
func distinct(p compute.Matrix) compute.Matrix {
	seen := map[string]bool{}
	kept := 0
	var key []byte
	for i := range p.Rows {
		key = key[:0]
		for _, v := range row(p, i) {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v))
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			copy(row(p, kept), row(p, i))
			kept++
		}
	}
	return compute.Rows(p, 0, kept)
}

func (s *settings) givenPoints(d int) (compute.Matrix, error) {
	p, err := door.Rows("slkl", "Points", s.Points)
	if err == nil && p.Cols != d {
		err = fmt.Errorf("slkl: Points has %d columns, x has %d: %w", p.Cols, d, rkhs.ErrShape)
	}
	return distinct(p), err
}

// baseKernels returns the kernels of the options, or the default for rows like
// those of sample.
func (s *settings) baseKernels(sample mat.Matrix) ([]kernel.Kernel, error) {
	if len(s.Kernels) > 0 {
		own := make([]kernel.Kernel, len(s.Kernels))
		for i, k := range s.Kernels {
			own[i] = kernel.Clone(k)
		}
		return own, nil
	}
	sigma, err := kernel.MedianDistance(sample, s.Seed)
	if err != nil {
		return nil, fmt.Errorf("slkl: bandwidth: %w", err)
	}
	return []kernel.Kernel{kernel.Gaussian{Sigma: sigma}}, nil
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
