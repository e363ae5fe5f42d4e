package slkl

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// columns defines the M columns of the problem, one for each pair of a kernel
// and a landmark, in the order of the kernels:
//
//	c_m(x) = k(x, x_m)/√k(x_m, x_m).
type columns struct {
	kernels []kernel.Kernel
	points  compute.Points // one landmark a row
	rows    []int          // of those that a fit learns from which these are, or nil
	scale   []float64      // M, 1/√k(x_m, x_m), and 0 where that is not positive
	mapped  []mapped       // of each kernel, where landmarks are sparse
	workers int
	single  bool
}

// mapped are landmarks for which another evaluator has the values of a kernel.
type mapped struct {
	gram.Evaluator
	points compute.Points
}

// newColumns returns the columns of kernels and landmarks that fit each other, or
// why they do not.
func newColumns(s *settings, kernels []kernel.Kernel, points compute.Points) (*columns, error) {
	if err := checkKernels(kernels, points); err != nil {
		return nil, err
	}
	return &columns{kernels: kernels, points: points, workers: s.Workers, single: s.SinglePrecision}, nil
}

// normalise computes the scales, before the first use of a column.
func (c *columns) normalise() {
	c.scale, c.mapped = make([]float64, c.count()), nil
	for i := range c.kernels {
		if c.points.Sparse != nil {
			e, points := c.evaluator(i).MappedPoints(c.points)
			c.mapped = append(c.mapped, mapped{e, points})
		}
		part := c.scale[i*c.points.Rows : (i+1)*c.points.Rows]
		c.evaluator(i).DiagOf(part, c.points)
		for m, v := range part {
			if v > 0 {
				part[m] = 1 / math.Sqrt(v)
			} else {
				part[m] = 0
			}
		}
	}
}

// gram returns the matrix of the norm: ‖f‖² = wᵀ·gram·w for f = Σ w_m·c_m, where functions of
// different kernels are orthogonal. O(M²·d).
func (c *columns) gram() compute.Matrix {
	l, g := c.points.Rows, compute.NewMatrix(c.count(), c.count())
	for i := range c.kernels {
		c.evaluator(i).GramOf(compute.Columns(compute.Rows(g, i*l, (i+1)*l), i*l, (i+1)*l), c.points)
	}
	for i, s := range c.scale {
		for j, t := range c.scale {
			g.Data[i*g.Stride+j] *= s * t
		}
	}
	return g
}

func (c *columns) count() int { return len(c.kernels) * c.points.Rows }

func (c *columns) evaluator(i int) gram.Evaluator {
	return gram.Evaluator{Kernel: c.kernels[i], Workers: c.workers, SinglePrecision: c.single}
}

// locate splits a column into its kernel and its landmark.
func (c *columns) locate(m int) (k, landmark int) { return m / c.points.Rows, m % c.points.Rows }

// all lists all M columns.
func (c *columns) all() []int { return compute.Indices(c.count()) }

// fill sets dst_ij = c_m(x_i) for the j-th column m of list, in ascending order: x is
// n×d. O(n·d) for each column.
func (c *columns) fill(dst compute.Matrix, x compute.Points, list []int) {
	for from := 0; from < len(list); {
		k, _ := c.locate(list[from])
		to := from
		for to < len(list) && list[to]/c.points.Rows == k {
			to++
		}
		if to-from == c.points.Rows && c.mapped != nil { // the landmarks are not mapped again
			_, rows, free := c.evaluator(k).MappedBriefly(x)
			c.mapped[k].CrossOf(compute.Columns(dst, from, to), rows, c.mapped[k].points)
			free()
		} else {
			c.evaluator(k).CrossOf(compute.Columns(dst, from, to), x, c.landmarks(list[from:to]))
		}
		from = to
	}
	if c.unit() {
		return
	}
	compute.Parallel(dst.Rows, c.workers, func(i int) {
		row := compute.Row(dst, i)
		for j, m := range list {
			row[j] *= c.scale[m]
		}
	})
}

// landmarks returns the landmarks of the listed columns, in ascending order of one kernel.
func (c *columns) landmarks(list []int) compute.Points {
	if len(list) == c.points.Rows {
		return c.points
	}
	rows := make([]int, len(list))
	for j, m := range list {
		_, rows[j] = c.locate(m)
	}
	return c.points.Pick(rows)
}

// correlate sets dst_mo = Σ_i c_m(x_i)·r_io without storing a column: r is n×q,
// dst M×q. O(n·M·(d + q)).
func (c *columns) correlate(dst compute.Matrix, x compute.Points, r compute.Matrix) {
	l := c.points.Rows
	for i := range c.kernels {
		c.evaluator(i).MulOf(compute.Rows(dst, i*l, (i+1)*l), c.points, x, r)
	}
	for m, s := range c.scale {
		blas64.Scal(s, compute.RowVector(dst, m))
	}
}

// unit reports whether all scales are 1, as they are for radial kernels.
func (c *columns) unit() bool {
	for _, s := range c.scale {
		if s != 1 {
			return false
		}
	}
	return true
}
