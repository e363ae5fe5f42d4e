package slkl

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// landmarks are points, and the rows that these are, or nil where they are none.
type landmarks struct {
	points compute.Points
	rows   []int
}

// first returns so many of them at most.
func (l landmarks) first(n int) landmarks {
	n = min(n, len(l.rows))
	return landmarks{l.points.Between(0, n), l.rows[:n]}
}

// drawnPoints returns copies of the landmarks that the options ask for among the rows
// x, or outside them.
func drawnPoints(s *settings, x compute.Points) (landmarks, error) {
	if s.Points != nil {
		points, err := givenPoints(s.Points, x.Cols)
		return landmarks{points: points}, err
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

// drawnRows returns rows, of n, that are drawn uniformly.
func (s *settings) drawnRows(n int) []int {
	return rng.New(s.Seed, "slkl landmarks", 0).Sample(n, min(s.MaxPoints, n))
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
	return distinctRows(p, compute.Indices(p.Rows)).points
}

// distinctRows is distinct of the listed rows.
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
		if err := gram.Check(k, x); err != nil {
			return fmt.Errorf("slkl: %w", err)
		}
	}
	return nil
}
