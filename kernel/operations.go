package kernel

import (
	"sync"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// gram computes the upper triangle by tiles and mirrors it, unless the whole
// matrix is one call of package compute.
func gram(e engine, dst, x compute.Matrix, workers int) {
	switch e := e.(type) {
	case fusedEngine:
		compute.KernelSym(dst, x, e.f, workers)
		return
	case singleEngine:
		e.gram(dst, x, workers)
		return
	case mapEngine:
		gram(e.of, dst, e.rows.apply(x, workers), workers)
		return
	case scaleEngine:
		gram(e.of, dst, x, workers)
		scaleRows(dst, e.by, workers)
		return
	}
	all := e.prepare(x, workers)
	eachTile(x.Rows, workers, func(from, to int) {
		tiles(e, rowsOf(dst, from, to), all.slice(from, to), all, from)
	})
	d := make([]float64, x.Rows)
	diag(e, d, x, workers)
	eachTile(x.Rows, workers, func(from, to int) { mirror(dst, d, from, to) })
}

// mirror fills the diagonal and the lower triangle of rows [from, to).
func mirror(m compute.Matrix, diag []float64, from, to int) {
	const side = 32
	for j0 := 0; j0 < to; j0 += side {
		for i := from; i < to; i++ {
			row := m.Data[i*m.Stride:]
			for j := j0; j < min(j0+side, i); j++ {
				row[j] = m.Data[j*m.Stride+i]
			}
		}
	}
	for i := from; i < to; i++ {
		m.Data[i*m.Stride+i] = diag[i]
	}
}

func diag(e engine, dst []float64, x compute.Matrix, workers int) {
	eachTile(x.Rows, workers, func(from, to int) { e.diag(dst[from:to], rowsOf(x, from, to)) })
}

// tiles sets the columns of dst from the given one on, tile by tile.
func tiles(e engine, dst compute.Matrix, x, z side, first int) {
	for j := first; j < dst.Cols; j += tileColumns {
		to := min(j+tileColumns, dst.Cols)
		e.block(columnsOf(dst, j, to), x, z.slice(j, to))
	}
}

func cross(e engine, dst, x, z compute.Matrix, workers int) {
	switch e := e.(type) {
	case fusedEngine:
		compute.Kernel(dst, x, z, e.f, workers)
		return
	case singleEngine:
		e.cross(dst, x, z, workers)
		return
	case mapEngine:
		if !e.wide() {
			cross(e.of, dst, e.rows.apply(x, workers), e.rows.apply(z, workers), workers)
			return
		}
	case scaleEngine:
		cross(e.of, dst, x, z, workers)
		scaleRows(dst, e.by, workers)
		return
	}
	right := e.prepare(z, workers)
	eachTile(x.Rows, workers, func(from, to int) {
		tiles(e, rowsOf(dst, from, to), e.prepare(rowsOf(x, from, to), 1), right, 0)
	})
}

func mul(e engine, dst, x, z, w compute.Matrix, workers int) {
	if phi, ok := explicit(e); ok && worthwhile(phi.width(x.Cols), z.Rows, w.Cols) {
		mulExplicit(phi, dst, x, z, w, workers)
		return
	}
	switch e := e.(type) {
	case fusedEngine:
		compute.KernelMul(dst, x, z, w, e.f, workers)
	case singleEngine:
		e.mul(dst, x, z, w, workers)
	case mapEngine:
		if e.wide() {
			mulTiles(e, dst, x, z, w, workers)
			return
		}
		mul(e.of, dst, e.rows.apply(x, workers), e.rows.apply(z, workers), w, workers)
	case scaleEngine:
		mul(e.of, dst, x, z, w, workers)
		scaleRows(dst, e.by, workers)
	case combinedEngine:
		if e.product {
			mulTiles(e, dst, x, z, w, workers)
			return
		}
		mulSum(e, dst, x, z, w, workers)
	default:
		mulTiles(e, dst, x, z, w, workers)
	}
}

// worthwhile compares the cost of a row of Φ(X)·(Φ(Z)ᵀW) and of (Φ(X)Φ(Z)ᵀ)·W; it
// does not look at the number of rows of X, so that no result depends on it.
func worthwhile(width, m, q int) bool { return width*q <= m*(width+q) }

func mulExplicit(phi pointMap, dst, x, z, w compute.Matrix, workers int) {
	right := phi.apply(z, workers)
	t := compute.NewMatrix(right.Cols, w.Cols)
	compute.MulTN(t, right, w, workers)
	eachTile(x.Rows, workers, func(from, to int) {
		out := rowsOf(dst, from, to)
		zero(out)
		compute.MulNN(out, phi.apply(rowsOf(x, from, to), 1), t, 1)
	})
}

func mulSum(e combinedEngine, dst, x, z, w compute.Matrix, workers int) {
	t := compute.NewMatrix(dst.Rows, dst.Cols)
	mul(e.parts[0], dst, x, z, w, workers)
	for _, p := range e.parts[1:] {
		mul(p, t, x, z, w, workers)
		for i := range dst.Rows {
			floats.Add(rowOf(dst, i), rowOf(t, i))
		}
	}
}

// mulTiles holds one tile of K at a time.
func mulTiles(e engine, dst, x, z, w compute.Matrix, workers int) {
	right := e.prepare(z, workers)
	eachTile(x.Rows, workers, func(from, to int) {
		left := e.prepare(rowsOf(x, from, to), 1)
		out := rowsOf(dst, from, to)
		zero(out)
		tile, free := newTile(to-from, min(tileColumns, z.Rows))
		defer free()
		for j := 0; j < z.Rows; j += tileColumns {
			k := columnsOf(tile, 0, min(tileColumns, z.Rows-j))
			e.block(k, left, right.slice(j, j+k.Cols))
			compute.MulNN(out, k, rowsOf(w, j, j+k.Cols), 1)
		}
	})
}

var tilePool = sync.Pool{New: func() any { return new([tileRows * tileColumns]float64) }}

// newTile returns a matrix of a tile at most, its elements left over from another
// use. free gives it back.
func newTile(rows, cols int) (m compute.Matrix, free func()) {
	t := tilePool.Get().(*[tileRows * tileColumns]float64)
	return compute.Matrix{Rows: rows, Cols: cols, Stride: cols, Data: t[:rows*cols]}, func() { tilePool.Put(t) }
}

// newScratch is newTile for a matrix of any size.
func newScratch(rows, cols int) (m compute.Matrix, free func()) {
	if rows*cols <= tileRows*tileColumns {
		return newTile(rows, cols)
	}
	return compute.NewMatrix(rows, cols), func() {}
}

func rowsOf(m compute.Matrix, from, to int) compute.Matrix { return compute.Rows(m, from, to) }

// columnsOf returns columns [from, to) of m; it shares the data of m.
func columnsOf(m compute.Matrix, from, to int) compute.Matrix {
	return compute.Matrix{Rows: m.Rows, Cols: to - from, Stride: m.Stride, Data: m.Data[from : (m.Rows-1)*m.Stride+to]}
}
