package gram

import (
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Evaluator computes Gram matrices of a kernel and products with them. It checks
// nothing but sizes: callers pass rows that Check accepts. Its methods panic if
// the sizes of their arguments do not fit. Arguments may have any stride; those
// that are written must not overlap those that are read. The results are the
// same bits for any number of workers.
type Evaluator struct {
	Kernel Kernel
	// Workers bounds the goroutines of a call; 0 means GOMAXPROCS.
	Workers int
	// SinglePrecision computes Gram, Cross and Mul in single precision, in about half the
	// time, where a kernel is Gaussian, Matern of order 1/2, 3/2 or 5/2,
	// RationalQuadratic, Polynomial, Linear, or one of these inside Scale or ARD;
	// other kernels stay as they are. Values are then good to about 1e-6 of the
	// largest, where rows lie within some hundred lengths of each other; beyond,
	// distances are known to 1e-7 of how far from the others a row lies. Values of
	// a Polynomial must stay below 1e38.
	SinglePrecision bool
	// Unblocked computes a few values of a Radial kernel, x and z of up to 2048
	// products of coordinates, one by one, in Cross and in a Gram of one row. That
	// spares the memory and the time that blocks take to set up. The values then
	// differ from those in blocks by rounding, so that the last bits of a value
	// depend on how many are asked for at once. It has no effect on other kernels.
	Unblocked bool
}

// fewProducts is the number of products of coordinates up to which a plain loop is
// faster than setting up blocks.
const fewProducts = 1 << 11

// few returns the kernel if K(X, Z) is to be computed value by value.
func (e Evaluator) few(x, z blas64.General) (k Radial, ok bool) {
	if !e.Unblocked || x.Rows*z.Rows*x.Cols > fewProducts {
		return nil, false
	}
	k, ok = e.Kernel.(Radial)
	return k, ok
}

func crossUnblocked(k Radial, dst, x, z blas64.General) {
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
		return EngineOf(e.Kernel).single()
	}
	return EngineOf(e.Kernel)
}

// Gram sets dst_ij = k(x_i, x_j): x is n×d, dst is n×n. dst is exactly symmetric.
// It costs n²/2 kernel values.
func (e Evaluator) Gram(dst, x blas64.General) {
	checkSize("dst", dst, x.Rows, x.Rows)
	switch {
	case x.Rows == 0:
	case x.Rows == 1 && e.Unblocked:
		e.Cross(dst, x, x)
	default:
		e.engine().gram(dst, x, e.Workers)
	}
}

// Cross sets dst_ij = k(x_i, z_j): x is n×d, z is m×d, dst is n×m. It costs n·m
// kernel values.
func (e Evaluator) Cross(dst, x, z blas64.General) {
	checkSize("z", z, z.Rows, x.Cols)
	checkSize("dst", dst, x.Rows, z.Rows)
	if x.Rows == 0 || z.Rows == 0 {
		return
	}
	if k, ok := e.few(x, z); ok {
		crossUnblocked(k, dst, x, z)
		return
	}
	e.engine().cross(dst, x, z, e.Workers)
}

// Diag sets dst_i = k(x_i, x_i): x is n×d, dst has length n. It costs n kernel
// values at most.
func (e Evaluator) Diag(dst []float64, x blas64.General) {
	if len(dst) != x.Rows {
		panic(fmt.Sprintf("gram: dst has length %d, want %d", len(dst), x.Rows))
	}
	diag(EngineOf(e.Kernel), dst, x, e.Workers)
}

// Mul sets dst = K·W with K_ij = k(x_i, z_j), without storing K: x is n×d, z is
// m×d, w is m×q, dst is n×q. It costs n·m kernel values and 2·n·m·q operations,
// or less where K has low rank by construction.
func (e Evaluator) Mul(dst, x, z, w blas64.General) {
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

// Mapped returns an Evaluator, and rows for which it has the values that e has for those of
// x, to the bit unless Unblocked: what Projected, ARD and OneHot do to rows is done once, in
// place of at each call. Other kernels, and x, are returned as they are.
func (e Evaluator) Mapped(x blas64.General) (Evaluator, blas64.General) {
	d := source.Structure(e.Kernel)
	if d.Map == nil {
		return e, x
	}
	e.Kernel, x = d.Of, embed(d.Map, x, e.Workers)
	return e.Mapped(x)
}

// MappedPoints is Mapped for rows of any form; sparse rows stay sparse but behind Projected.
func (e Evaluator) MappedPoints(x compute.Points) (Evaluator, compute.Points) {
	if x.Sparse == nil {
		of, rows := e.Mapped(x.Matrix)
		return of, compute.DensePoints(rows)
	}
	of, by := e.mapping()
	if by == nil {
		return e, x
	}
	images, _ := by.EmbedSparse(x.Sparse, e.Workers)
	return of.MappedPoints(images)
}

// MappedBriefly is MappedPoints for rows that are not used any more once free was called.
func (e Evaluator) MappedBriefly(x compute.Points) (of Evaluator, rows compute.Points, free func()) {
	free = func() {}
	if x.Sparse == nil {
		of, rows = e.MappedPoints(x)
		return of, rows, free
	}
	of, by := e.mapping()
	if by == nil {
		return e, x, free
	}
	images, free, _ := embedBriefly(by, x, e.Workers)
	if next, more := of.mapping(); more == nil {
		return next, images, free
	}
	defer free()
	of, rows = of.MappedPoints(images)
	return of, rows, func() {}
}

// sparseMap is an Embedding that maps sparse rows.
type sparseMap interface {
	Embedding
	SparseEmbedding
}

// mapping returns what the kernel maps sparse rows by, and the Evaluator for their images, or nil.
func (e Evaluator) mapping() (of Evaluator, by sparseMap) {
	d := source.Structure(e.Kernel)
	if m, ok := d.Map.(sparseMap); ok {
		e.Kernel, by = d.Of, m
	}
	return e, by
}

func checkSize(name string, m blas64.General, rows, cols int) {
	if m.Rows != rows || m.Cols != cols {
		panic(fmt.Sprintf("gram: %s is %d×%d, want %d×%d", name, m.Rows, m.Cols, rows, cols))
	}
}
