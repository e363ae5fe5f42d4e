package gram

import (
	"sync"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// tileRows and tileColumns bound the block of kernel values that a worker holds
// at a time.
const (
	tileRows    = 128
	tileColumns = 512
)

// eachTile calls do(from, to) for consecutive ranges of at most tileRows of n.
func eachTile(n, workers int, do func(from, to int)) {
	compute.Parallel((n+tileRows-1)/tileRows, workers, func(b int) {
		do(b*tileRows, min((b+1)*tileRows, n))
	})
}

// tiled makes an engine of blocks, tile by tile.
type tiled struct{ blocks }

// gram computes the upper triangle and mirrors it.
func (e tiled) gram(dst, x compute.Matrix, workers int) {
	all := e.prepare(x, workers)
	eachTile(x.Rows, workers, func(from, to int) {
		tiles(e.blocks, compute.Rows(dst, from, to), all.slice(from, to), all, from)
	})
	d := make([]float64, x.Rows)
	diag(e.blocks, d, x, workers)
	eachTile(x.Rows, workers, func(from, to int) { mirror(dst, d, from, to) })
}

func (e tiled) cross(dst, x, z compute.Matrix, workers int) {
	right := e.prepare(z, workers)
	eachTile(x.Rows, workers, func(from, to int) {
		tiles(e.blocks, compute.Rows(dst, from, to), e.prepare(compute.Rows(x, from, to), 1), right, 0)
	})
}

// mul holds one tile of K at a time.
func (e tiled) mul(dst, x, z, w compute.Matrix, workers int) {
	right := e.prepare(z, workers)
	eachTile(x.Rows, workers, func(from, to int) {
		left := e.prepare(compute.Rows(x, from, to), 1)
		out := compute.Rows(dst, from, to)
		compute.Zero(out)
		tile, free := newTile(to-from, min(tileColumns, z.Rows))
		defer free()
		for j := 0; j < z.Rows; j += tileColumns {
			k := compute.Columns(tile, 0, min(tileColumns, z.Rows-j))
			e.block(k, left, right.slice(j, j+k.Cols))
			compute.MulNN(out, k, compute.Rows(w, j, j+k.Cols), 1)
		}
	})
}

func (e tiled) single() Engine                       { return e }
func (e tiled) asProfile() (compute.Family, Profile) { return profileOf(e.blocks) }

// tiles sets the columns of dst from the given one on, tile by tile.
func tiles(e blocks, dst compute.Matrix, x, z side, first int) {
	for j := first; j < dst.Cols; j += tileColumns {
		to := min(j+tileColumns, dst.Cols)
		e.block(compute.Columns(dst, j, to), x, z.slice(j, to))
	}
}

func diag(e blocks, dst []float64, x compute.Matrix, workers int) {
	eachTile(x.Rows, workers, func(from, to int) { e.diag(dst[from:to], compute.Rows(x, from, to)) })
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
