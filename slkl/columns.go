package slkl

import (
	"iter"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// columns defines the M columns of the problem, one for each pair of a kernel and a landmark:
//
//	c_m(x) = k(x, x_m)/√k(x_m, x_m).
//
// All columns of the first kernel come first.
type columns struct {
	kernels []kernel.Kernel
	points  compute.Points // one landmark in each row
	rows    []int          // that the landmarks are copies of, or nil
	scale   []float64      // M, 1/√k(x_m, x_m), or 0 where that is not positive
	mapped  []mapped       // of each kernel, for sparse landmarks
	workers int
	single  bool
}

// mapped are landmarks on which another evaluator computes the values of a kernel.
type mapped struct {
	gram.Evaluator
	points compute.Points
}

// newColumns copies the kernels. It returns an error if they are not defined on the landmarks.
func newColumns(s *settings, kernels []kernel.Kernel, points compute.Points) (*columns, error) {
	if err := checkKernels(kernels, points); err != nil {
		return nil, err
	}
	c := &columns{points: points, workers: s.Workers, single: s.SinglePrecision}
	for _, k := range kernels {
		c.kernels = append(c.kernels, kernel.Clone(k))
	}
	return c, nil
}

// normalise computes the scales. It must precede the first use of a column.
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
			part[m] = 0
			if v > 0 {
				part[m] = 1 / math.Sqrt(v)
			}
		}
	}
}

// gram returns the matrix of the norm, ‖f‖² = wᵀ·gram·w for f = Σ w_m·c_m. Functions of different
// kernels are orthogonal. O(M²·d).
func (c *columns) gram() compute.Matrix {
	l, g := c.points.Rows, compute.NewMatrix(c.count(), c.count())
	for i := range c.kernels {
		from, to := i*l, (i+1)*l
		c.evaluator(i).GramOf(compute.Block(g, from, to, from, to), c.points)
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

// all lists all M columns.
func (c *columns) all() []int { return compute.Indices(c.count()) }

// fill sets dst_ij = c_m(x_i) for the j-th column m of list, in ascending order; x is n×d. O(n·d) for
// each column.
func (c *columns) fill(dst compute.Matrix, x compute.Points, list []int) {
	for from := 0; from < len(list); {
		k := list[from] / c.points.Rows
		to := from
		for to < len(list) && list[to]/c.points.Rows == k {
			to++
		}
		if to-from == c.points.Rows && c.mapped != nil { // the landmarks are already mapped
			_, rows, free := c.evaluator(k).MappedBriefly(x)
			c.mapped[k].CrossOf(compute.Columns(dst, from, to), rows, c.mapped[k].points)
			free()
		} else {
			c.evaluator(k).CrossOf(compute.Columns(dst, from, to), x, c.landmarks(list[from:to]))
		}
		from = to
	}
	if !slices.ContainsFunc(c.scale, func(s float64) bool { return s != 1 }) { // a radial kernel
		return
	}
	compute.Parallel(dst.Rows, c.workers, func(i int) {
		row := compute.Row(dst, i)
		for j, m := range list {
			row[j] *= c.scale[m]
		}
	})
}

// blocks yields all columns of consecutive rows of x, starting at row from. The next block overwrites
// them in buffer.
func (c *columns) blocks(buffer *compute.Matrix, x compute.Points) iter.Seq2[int, compute.Matrix] {
	size, list := min(blockRows(c.count(), x.Sparse != nil), x.Rows), c.all()
	compute.Reshape(buffer, size, len(list))
	return func(yield func(from int, block compute.Matrix) bool) {
		for from, to := range compute.Chunks(x.Rows, size) {
			block := compute.Rows(*buffer, 0, to-from)
			c.fill(block, x.Between(from, to), list)
			if !yield(from, block) {
				return
			}
		}
	}
}

// landmarks returns the landmarks of the listed columns of one kernel, in ascending order.
func (c *columns) landmarks(list []int) compute.Points {
	if len(list) == c.points.Rows {
		return c.points
	}
	rows := make([]int, len(list))
	for j, m := range list {
		rows[j] = m % c.points.Rows
	}
	return c.points.Pick(rows)
}

// correlate sets dst_mo = Σ_i c_m(x_i)·r_io, for r n×q and dst M×q, without storing columns.
// O(n·M·(d + q)).
func (c *columns) correlate(dst compute.Matrix, x compute.Points, r compute.Matrix) {
	l := c.points.Rows
	for i := range c.kernels {
		c.evaluator(i).MulOf(compute.Rows(dst, i*l, (i+1)*l), c.points, x, r)
	}
	for m, s := range c.scale {
		blas64.Scal(s, compute.RowVector(dst, m))
	}
}
