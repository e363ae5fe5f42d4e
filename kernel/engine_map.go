package kernel

import "github.com/rkhs-go/rkhs/internal/compute"

// mapEngine is a kernel of mapped points: k(x, z) = of(φ(x), φ(z)).
type mapEngine struct {
	rows pointMap
	of   engine
}

// pointMap is φ.
type pointMap interface {
	// width returns the length of φ(x) for x of length d.
	width(d int) int
	// apply returns the matrix with rows φ(x_i).
	apply(x compute.Matrix, workers int) compute.Matrix
}

func (e mapEngine) prepare(x compute.Matrix, workers int) side {
	return e.of.prepare(e.rows.apply(x, workers), workers)
}

func (e mapEngine) diag(dst []float64, x compute.Matrix) { e.of.diag(dst, e.rows.apply(x, 1)) }

func (e mapEngine) block(dst compute.Matrix, x, z side) { e.of.block(dst, x, z) }

func (e mapEngine) gram(dst, x compute.Matrix, workers int) {
	e.of.gram(dst, e.rows.apply(x, workers), workers)
}

func (e mapEngine) cross(dst, x, z compute.Matrix, workers int) {
	e.of.cross(dst, e.rows.apply(x, workers), e.rows.apply(z, workers), workers)
}

func (e mapEngine) mul(dst, x, z, w compute.Matrix, workers int) {
	if phi, ok := e.explicit(); ok && mulExplicit(phi, dst, x, z, w, workers) {
		return
	}
	e.of.mul(dst, e.rows.apply(x, workers), e.rows.apply(z, workers), w, workers)
}

func (e mapEngine) single() engine { return mapEngine{e.rows, e.of.single()} }

func (e mapEngine) explicit() (pointMap, bool) {
	inner, ok := explicit(e.of)
	return composed{e.rows, inner}, ok
}

// wideEngine is a mapEngine for a map to more columns than the result may have: it
// holds the images of a tile of rows at a time.
type wideEngine struct{ mapEngine }

func (e wideEngine) cross(dst, x, z compute.Matrix, workers int) {
	tiled{e}.cross(dst, x, z, workers)
}

func (e wideEngine) mul(dst, x, z, w compute.Matrix, workers int) {
	if phi, ok := e.explicit(); ok && mulExplicit(phi, dst, x, z, w, workers) {
		return
	}
	tiled{e}.mul(dst, x, z, w, workers)
}

func (e wideEngine) single() engine { return e }

// mulExplicit sets dst = Φ(X)·(Φ(Z)ᵀ·W) for the kernel <φ(x), φ(z)>, if that costs
// less than (Φ(X)·Φ(Z)ᵀ)·W, and reports whether it did. The choice does not depend
// on the number of rows of X, so that no result does.
func mulExplicit(phi pointMap, dst, x, z, w compute.Matrix, workers int) bool {
	if width := phi.width(x.Cols); width*w.Cols > z.Rows*(width+w.Cols) {
		return false
	}
	right := phi.apply(z, workers)
	t := compute.NewMatrix(right.Cols, w.Cols)
	compute.MulTN(t, right, w, workers)
	eachTile(x.Rows, workers, func(from, to int) {
		out := compute.Rows(dst, from, to)
		compute.Zero(out)
		compute.MulNN(out, phi.apply(compute.Rows(x, from, to), 1), t, 1)
	})
	return true
}

// explicit returns φ with k(x, z) = <φ(x), φ(z)>, if e says that it is of that form.
func explicit(e engine) (phi pointMap, ok bool) {
	if e, is := e.(interface{ explicit() (pointMap, bool) }); is {
		return e.explicit()
	}
	return nil, false
}

// rowMap maps each row by itself.
type rowMap struct {
	columns func(d int) int
	row     func(dst, x []float64)
}

func (m rowMap) width(d int) int { return m.columns(d) }

func (m rowMap) apply(x compute.Matrix, workers int) compute.Matrix {
	out := compute.NewMatrix(x.Rows, m.columns(x.Cols))
	eachTile(x.Rows, workers, func(from, to int) {
		for i := from; i < to; i++ {
			m.row(compute.Row(out, i), compute.Row(x, i))
		}
	})
	return out
}

// elementwise maps each coordinate by f.
func elementwise(f func(float64) float64) rowMap {
	return rowMap{
		columns: func(d int) int { return d },
		row: func(dst, x []float64) {
			for i, v := range x {
				dst[i] = f(v)
			}
		},
	}
}

type identity struct{}

func (identity) width(d int) int                              { return d }
func (identity) apply(x compute.Matrix, _ int) compute.Matrix { return x }

// composed is outer(inner(x)).
type composed struct{ inner, outer pointMap }

func (c composed) width(d int) int { return c.outer.width(c.inner.width(d)) }

func (c composed) apply(x compute.Matrix, workers int) compute.Matrix {
	return c.outer.apply(c.inner.apply(x, workers), workers)
}
