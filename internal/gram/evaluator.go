package gram

import (
	"fmt"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Evaluator computes Gram matrices of a kernel and products with them. It checks sizes only: callers pass rows that
// Check accepts. Its methods panic if the sizes of their arguments do not match. Arguments may have any stride.
// Results must not overlap other arguments. They are the same bits for any number of workers.
type Evaluator struct {
	Kernel Kernel
	// Workers bounds the goroutines of a call; 0 means GOMAXPROCS.
	Workers int
	// SinglePrecision computes Gram, Cross and Mul in single precision, in about half the time, for Gaussian, Matern
	// of order 1/2, 3/2 or 5/2, RationalQuadratic, Polynomial, Linear, and one of these inside Scale or ARD. It has
	// no effect on other kernels. Values are accurate to about 1e-6 of the largest for rows within some hundred
	// lengths of each other, and distances to 1e-7 of the spread of the rows. Values of a Polynomial must stay below
	// 1e38.
	SinglePrecision bool
	// Unblocked computes few values of a Radial kernel separately, in Cross and in a Gram of one row. That avoids the
	// memory and the time that blocks need. The values differ from values of blocks by rounding, so the last bits
	// depend on the number of rows. It has no effect on other kernels.
	Unblocked bool
}

// fewProducts is the number of products of coordinates up to which a plain loop is faster than blocks.
const fewProducts = 1 << 11

// unblocked returns the kernel if K(X, Z) is to be computed value by value.
func (e Evaluator) unblocked(x, z compute.Matrix) (k Radial, ok bool) {
	if !e.Unblocked || x.Rows*z.Rows*x.Cols > fewProducts {
		return nil, false
	}
	k, ok = e.Kernel.(Radial)
	return k, ok
}

func crossUnblocked(k Radial, dst, x, z compute.Matrix) {
	for i := range x.Rows {
		to, xi := compute.Row(dst, i), compute.Row(x, i)
		for j := range to {
			to[j] = squaredDistanceInOrder(xi, compute.Row(z, j))
		}
		k.OfSquaredDistance(to)
	}
}

func (e Evaluator) engine() Engine {
	if e.SinglePrecision {
		return engineOf(e.Kernel).single()
	}
	return engineOf(e.Kernel)
}

// Gram sets dst_ij = k(x_i, x_j): x is n×d, dst is n×n. dst is exactly symmetric. It costs n²/2 kernel values.
func (e Evaluator) Gram(dst, x compute.Matrix) {
	checkSize("dst", dst, x.Rows, x.Rows)
	switch {
	case x.Rows == 0:
	case x.Rows == 1 && e.Unblocked:
		e.Cross(dst, x, x)
	default:
		e.engine().gram(dst, x, e.Workers)
	}
}

// Cross sets dst_ij = k(x_i, z_j): x is n×d, z is m×d, dst is n×m. It costs n·m kernel values.
func (e Evaluator) Cross(dst, x, z compute.Matrix) {
	checkSize("z", z, z.Rows, x.Cols)
	checkSize("dst", dst, x.Rows, z.Rows)
	if x.Rows == 0 || z.Rows == 0 {
		return
	}
	if k, ok := e.unblocked(x, z); ok {
		crossUnblocked(k, dst, x, z)
		return
	}
	e.engine().cross(dst, x, z, e.Workers)
}

// Diag sets dst_i = k(x_i, x_i): x is n×d, dst has length n. It costs at most n kernel values.
func (e Evaluator) Diag(dst []float64, x compute.Matrix) {
	if len(dst) != x.Rows {
		panic(fmt.Sprintf("gram: dst has length %d, want %d", len(dst), x.Rows))
	}
	diag(engineOf(e.Kernel), dst, x, e.Workers)
}

// Mul sets dst = K·W with K_ij = k(x_i, z_j), without storing K: x is n×d, z is m×d, w is m×q, dst is n×q. It costs
// n·m kernel values and 2·n·m·q operations, or less if K has low rank by construction.
func (e Evaluator) Mul(dst, x, z, w compute.Matrix) {
	checkSize("z", z, z.Rows, x.Cols)
	checkSize("w", w, z.Rows, w.Cols)
	checkSize("dst", dst, x.Rows, w.Cols)
	if x.Rows == 0 || w.Cols == 0 {
		return
	}
	if z.Rows == 0 {
		compute.Zero(dst)
		return
	}
	e.engine().mul(dst, x, z, w, e.Workers)
}

// MappedPoints maps the rows of x as ARD, Projected and OneHot do at each call, and returns an Evaluator for the
// images. Its values are the values of e for x, to the bit unless Unblocked. Other kernels, and x, are returned
// unchanged. Sparse rows stay sparse, except behind Projected.
func (e Evaluator) MappedPoints(x compute.Points) (Evaluator, compute.Points) {
	d := source.Structure(e.Kernel)
	if d.Map == nil {
		return e, x
	}
	images, ok := EmbedPoints(d.Map, x, e.Workers)
	if !ok {
		return e, x
	}
	e.Kernel = d.Of
	return e.MappedPoints(images)
}

// MappedBriefly is MappedPoints in memory from a pool, which free returns.
func (e Evaluator) MappedBriefly(x compute.Points) (of Evaluator, rows compute.Points, free func()) {
	d := source.Structure(e.Kernel)
	if d.Map == nil {
		return e, x, func() {}
	}
	images, free, ok := embedBriefly(d.Map, x, e.Workers)
	if !ok {
		return e, x, free
	}
	e.Kernel = d.Of
	of, rows = e.MappedPoints(images)
	return of, rows, free
}

func checkSize(name string, m compute.Matrix, rows, cols int) {
	if m.Rows != rows || m.Cols != cols {
		panic(fmt.Sprintf("gram: %s is %d×%d, want %d×%d", name, m.Rows, m.Cols, rows, cols))
	}
}
