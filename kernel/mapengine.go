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

// wide reports whether the images of all rows may need more memory than the rows
// and the result.
func (e mapEngine) wide() bool {
	_, ok := e.rows.(lowRankMap)
	return ok
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
			m.row(rowOf(out, i), rowOf(x, i))
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

// explicit returns φ with k(x, z) = <φ(x), φ(z)>, if e is of that form.
func explicit(e engine) (phi pointMap, ok bool) {
	switch e := e.(type) {
	case fusedEngine:
		return identity{}, e.f.Family == compute.InnerProduct
	case mapEngine:
		inner, ok := explicit(e.of)
		return composed{e.rows, inner}, ok
	}
	return nil, false
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
