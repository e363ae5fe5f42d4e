package slkl

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// landmarks are points and the rows that they are copies of, nil if they are given.
type landmarks struct {
	points compute.Points
	rows   []int
}

// drawnPoints returns the landmarks that the options give or draw from the rows x.
func drawnPoints(s *settings, x compute.Points) (landmarks, error) {
	if s.Points != nil {
		points, err := input.Points(pkg, "Points", s.Points)
		if err == nil && points.Cols != x.Cols {
			err = fmt.Errorf("slkl: Points has %d columns, x has %d: %w", points.Cols, x.Cols, rkhs.ErrShape)
		}
		if err != nil {
			return landmarks{}, err
		}
		return landmarks{points: distinct(points)}, nil
	}
	rows := s.PointRows
	if rows == nil {
		rows = s.drawnRows(x.Rows)
	}
	if len(rows) == 0 {
		return landmarks{}, fmt.Errorf("slkl: PointRows is empty: %w", rkhs.ErrOption)
	}
	for i, r := range rows {
		if r < 0 || r >= x.Rows {
			return landmarks{}, fmt.Errorf("slkl: PointRows[%d] = %d with %d rows of x: %w", i, r, x.Rows, rkhs.ErrOption)
		}
	}
	return distinctRows(x, rows), nil
}

// drawnRows draws MaxPoints of n rows uniformly.
func (s *settings) drawnRows(n int) []int {
	return rng.New(s.Seed, "slkl landmarks", 0).Sample(n, min(s.MaxPoints, n))
}

// distinct returns a copy of p without duplicate rows, which would only share a weight.
func distinct(p compute.Points) compute.Points {
	return distinctRows(p, compute.Indices(p.Rows)).points
}

// distinctRows returns copies of the listed rows without duplicates.
func distinctRows(p compute.Points, rows []int) landmarks {
	seen := map[string]bool{}
	var kept []int
	var key []byte
	for _, i := range rows {
		key = p.AppendKey(key[:0], i)
		if !seen[string(key)] {
			seen[string(key)] = true
			kept = append(kept, i)
		}
	}
	return landmarks{p.Pick(kept), kept}
}

// checkKernels returns an error for invalid parameters and for rows outside the domain of a kernel.
func checkKernels(kernels []kernel.Kernel, x compute.Points) error {
	for _, k := range kernels {
		if err := gram.Check(k, x); err != nil {
			return fmt.Errorf("slkl: %w", err)
		}
	}
	return nil
}
