package slkl

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
	"gonum.org/v1/gonum/blas/blas64"
)

// columns defines the M columns of the problem, one for each pair of a kernel
// and a landmark, in the order of the kernels:
//
//	c_m(x) = k(x, x_m)/√k(x_m, x_m).
type columns struct {
	kernels []kernel.Kernel
	points  compute.Matrix // one landmark a row
	scale   []float64      // M, 1/√k(x_m, x_m), and 0 where that is not positive
	workers int
	single  bool
}

func newColumns(s *settings, kernels []kernel.Kernel, points compute.Matrix) *columns {
	c := &columns{kernels: kernels, points: points, workers: s.Workers, single: s.Single}
	c.scale = make([]float64, c.count())
	for i := range kernels {
		part := c.scale[i*points.Rows : (i+1)*points.Rows]
		c.evaluator(i).Diag(part, points)
		for m, v := range part {
			if v > 0 {
				part[m] = 1 / math.Sqrt(v)
			} else {
				part[m] = 0
			}
		}
	}
	return c
}

func (c *columns) count() int { return len(c.kernels) * c.points.Rows }

func (c *columns) evaluator(i int) kernel.Evaluator {
	return kernel.Evaluator{Kernel: c.kernels[i], Workers: c.workers, SinglePrecision: c.single}
}

// locate splits a column into its kernel and its landmark.
func (c *columns) locate(m int) (k, landmark int) { return m / c.points.Rows, m % c.points.Rows }

// fill sets dst_im = c_m(x_i) for all M columns: x is n×d, dst n×M. O(n·M·d).
func (c *columns) fill(dst, x compute.Matrix) {
	l := c.points.Rows
	for i := range c.kernels {
		c.evaluator(i).Cross(window(dst, i*l, l), x, c.points)
	}
	if c.unit() {
		return
	}
	compute.Parallel(dst.Rows, c.workers, func(i int) {
		for m, s := range c.scale {
			dst.Data[i*dst.Stride+m] *= s
		}
	})
}

// fillSome sets dst_ij = c_m(x_i) for the j-th column m of list.
func (c *columns) fillSome(dst, x compute.Matrix, list []int) {
	for from := 0; from < len(list); {
		k, _ := c.locate(list[from])
		to := from
		for to < len(list) && list[to]/c.points.Rows == k {
			to++
		}
		c.evaluator(k).Cross(window(dst, from, to-from), x, c.gather(list[from:to]))
		from = to
	}
	compute.Parallel(dst.Rows, c.workers, func(i int) {
		for j, m := range list {
			dst.Data[i*dst.Stride+j] *= c.scale[m]
		}
	})
}

// gather returns the landmarks of the listed columns.
func (c *columns) gather(list []int) compute.Matrix {
	p := compute.NewMatrix(len(list), c.points.Cols)
	for j, m := range list {
		_, l := c.locate(m)
		copy(row(p, j), row(c.points, l))
	}
	return p
}

// correlate sets dst_mo = Σ_i c_m(x_i)·r_io without storing a column: r is n×q,
// dst M×q. O(n·M·(d + q)).
func (c *columns) correlate(dst, x, r compute.Matrix) {
	l := c.points.Rows
	for i := range c.kernels {
		c.evaluator(i).Mul(compute.Rows(dst, i*l, (i+1)*l), c.points, x, r)
	}
	for m, s := range c.scale {
		blas64.Scal(s, vector(row(dst, m)))
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

// window returns n columns of m from the given one on; it shares the data of m.
func window(m compute.Matrix, from, n int) compute.Matrix {
	return compute.Matrix{Rows: m.Rows, Cols: n, Stride: m.Stride, Data: m.Data[from:]}
}
