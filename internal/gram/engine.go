package gram

import "github.com/rkhs-go/rkhs/internal/compute"

// Engine computes the matrix K of one kernel: K_ij = k(x_i, z_j) over the rows of x and z. A value does not depend
// on the other rows, and no result depends on the number of workers.
type Engine interface {
	blocks
	// gram sets dst = K of x with itself, exactly symmetric.
	gram(dst, x compute.Matrix, workers int)
	// cross sets dst = K.
	cross(dst, x, z compute.Matrix, workers int)
	// mul sets dst = K·w.
	mul(dst, x, z, w compute.Matrix, workers int)
	// single returns the engine of the same kernel in single precision, or itself if there is no such engine.
	single() Engine
}

// blocks are the required methods of an engine. tiled adds the rest.
type blocks interface {
	// prepare converts rows to the form that block expects, once for all blocks.
	prepare(x compute.Matrix, workers int) side
	// block sets dst_ij = k(x_i, z_j). dst is at most a tile.
	block(dst compute.Matrix, x, z side)
	// diag sets dst_i = k(x_i, x_i).
	diag(dst []float64, x compute.Matrix)
}

// side holds the prepared rows of one argument.
type side struct {
	rows  compute.Matrix
	norms []float64
	parts []side
}

// slice returns rows [from, to) of s.
func (s side) slice(from, to int) side {
	var t side
	if s.rows.Data != nil {
		t.rows = compute.Rows(s.rows, from, to)
	}
	if s.norms != nil {
		t.norms = s.norms[from:to]
	}
	for _, p := range s.parts {
		t.parts = append(t.parts, p.slice(from, to))
	}
	return t
}

// engineOf returns the fastest engine for k.
func engineOf(k Kernel) Engine {
	if e := source.Engine(k); e != nil {
		return e
	}
	switch s := source.Structure(k); {
	case s.Map != nil:
		return Mapped(s.Map, engineOf(s.Of))
	case s.Of != nil:
		return scaleEngine{s.By, engineOf(s.Of)}
	case s.Terms != nil:
		return combined(s.Terms, false)
	case s.Factors != nil:
		return combined(s.Factors, true)
	case s.Row != nil:
		return Loop(s.Row)
	}
	switch k := k.(type) {
	case Radial:
		return OfDistance(k)
	case InnerProduct:
		return WithProfile(compute.InnerProduct, profileFunc(k.OfInnerProduct))
	}
	return Loop(evalRow(k))
}

// tileRows and tileColumns bound the block of kernel values that a worker holds at a time.
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

// tiled returns an engine that computes blocks tile by tile.
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
		tile, free := compute.Allocate(to-from, min(tileColumns, z.Rows))
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

// tiles sets the columns of dst from first on, tile by tile.
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
