package compute

// group is the number of rows of Z processed together. A strip of tiles of this width fits into the L1 cache.
const group = 192

// pairwise computes inner products or squared distances for all pairs of a row of X and
// a row of Z. It passes them to finish in tiles while they are in the cache. The fields
// from j0 on describe the current rows of Z.
type pairwise[T float] struct {
	engine *engine[T]
	x, z   matrix[T]
	radial bool // squared distances instead of inner products
	// If symmetric is true, Z is X. It computes only blocks on or above the diagonal and copies their values to
	// the other triangle of mirror.
	symmetric bool
	mirror    matrix[T]
	finish    func(tile[T])
	flush     func() // ends a task; may be nil

	direct bool // compute squared distances from differences
	centre []T

	j0, m  int
	packed []T
	norms  []T
}

// A tile holds results for rows [i, i+rows) of X and [j, j+cols) of Z. finish may
// overwrite it.
type tile[T float] struct {
	data    []T
	i, rows int
	j, cols int
}

// row returns row r, with its length rounded up to a multiple of quantum.
func (t tile[T]) row(r int) []T {
	return t.data[r*group : r*group+ceil(t.cols, quantum)*quantum]
}

// panels returns the number of inner ranges, at least one even for empty rows.
func (s *pairwise[T]) panels() int { return max(1, ceil(s.x.cols, innerBlock)) }

// inner returns inner range p.
func (s *pairwise[T]) inner(p int) (k0, k int) {
	return p * innerBlock, min(innerBlock, s.x.cols-p*innerBlock)
}

func (s *pairwise[T]) run(workers int) {
	n, m, d := s.x.rows, s.z.rows, s.x.cols
	if s.z.cols != d {
		panic("compute: rows of different lengths")
	}
	if n == 0 || m == 0 {
		return
	}
	workers = workersFor(n*m*(d+8), workers)
	centre := s.engine.buffer(d + 1)
	defer centre.free()
	s.start(centre.data[:d])
	chunk := max(2*sharedBlock/(d+1)/group, 1) * group
	packed := s.engine.buffer((min(chunk, m) + s.engine.cols) * (d + 1))
	defer packed.free()
	norms := s.engine.buffer(min(chunk, m) + group)
	defer norms.free()
	s.packed, s.norms = packed.data, norms.data
	for s.j0 = 0; s.j0 < m; s.j0 += chunk {
		s.m = min(chunk, m-s.j0)
		Parallel(ceil(s.m, group), workersFor(s.m*d*8, workers), s.packSecond)
		s.passRows(workers)
	}
}

// start selects the method for distances and sets the centre.
func (s *pairwise[T]) start(centre []T) {
	columns, _ := limits[T]()
	s.direct = s.radial && s.x.cols <= columns
	s.centre = centre
	clear(s.centre)
	if s.radial && !s.direct {
		centreOf(s.centre, s.z)
	}
}

// passRows runs the tasks, one for each block of rows of X.
func (s *pairwise[T]) passRows(workers int) {
	rows := min(rowBlock, ceil(ceil(s.x.rows, workers), s.engine.rows)*s.engine.rows)
	if s.symmetric {
		rows = rowBlock
	}
	Parallel(ceil(s.x.rows, rows), workers, func(i int) {
		s.task(i*rows, min(rows, s.x.rows-i*rows))
	})
}

// packSecond packs one group of rows of Z, panel by panel.
func (s *pairwise[T]) packSecond(g int) {
	from, e := g*group, s.engine
	n := min(group, s.m-from)
	columns := ceil(s.m, e.cols) * e.cols
	for p := range s.panels() {
		k0, k := s.inner(p)
		to := s.packed[columns*k0+from*k:]
		e.pack(to, rowsOf(s.z), s.j0+from, n, k0, k, e.cols, s.centre[k0:])
		if s.radial && !s.direct {
			e.addSquares(s.norms[from:], to, n, k, e.cols, p > 0)
		}
	}
}

// addSquares adds the squares in the panels of n rows to norms, which it clears first
// unless add is true.
func (e *engine[T]) addSquares(norms, packed []T, n, k, width int, add bool) {
	if !add {
		clear(norms[:ceil(n, width)*width])
	}
	squares := e.buffer(width)
	defer squares.free()
	for i := 0; i < n; i += width {
		e.squares(squares.data, packed[i*k:], k)
		for r, v := range squares.data {
			norms[i+r] += v
		}
	}
}

// task computes rows [i0, i0+n) of X.
func (s *pairwise[T]) task(i0, n int) {
	e, d := s.engine, s.x.cols
	rows := ceil(n, e.rows) * e.rows
	packed := e.buffer(rows*d + 1)
	defer packed.free()
	norms := e.buffer(rows)
	defer norms.free()
	s.packFirst(packed.data, norms.data, i0, n)
	strip := e.buffer(rows * group)
	defer strip.free()
	width := 1
	if s.panels() == 1 {
		width = max(passBlock/(d+1)/group, 1)
	}
	for from := 0; from < s.m; from += width * group {
		b := block[T]{i0, n, from, min(from+width*group, s.m), packed.data, norms.data, strip.data}
		if s.symmetric {
			b.from = max(b.from, (i0-s.j0)/group*group)
		}
		if b.from < b.to {
			s.block(b)
		}
	}
	if s.flush != nil {
		s.flush()
	}
}

// packFirst packs rows [i0, i0+n) of X, panel by panel.
func (s *pairwise[T]) packFirst(packed, norms []T, i0, n int) {
	e, rows := s.engine, ceil(n, s.engine.rows)*s.engine.rows
	for p := range s.panels() {
		k0, k := s.inner(p)
		e.pack(packed[rows*k0:], rowsOf(s.x), i0, n, k0, k, e.rows, s.centre[k0:])
		if s.radial && !s.direct {
			e.addSquares(norms, packed[rows*k0:], n, k, e.rows, p > 0)
		}
	}
}

// A block pairs rows [i0, i0+n) of X with rows [from, to) of the current rows of Z. It
// holds the packed rows of X, their norms and memory for results.
type block[T float] struct {
	i0, n, from, to      int
	packed, norms, strip []T
}

// block computes the tiles of a block row by row, so that consecutive tiles are adjacent
// in the result. With several inner ranges, the block is one group wide and strip holds
// the partial sums of all rows.
func (s *pairwise[T]) block(b block[T]) {
	e := s.engine
	rows, columns := ceil(b.n, e.rows)*e.rows, ceil(s.m, e.cols)*e.cols
	micro, last := e.product, s.panels()-1
	if s.direct {
		micro = e.difference
	} else if b.n == 1 {
		micro = e.productRow
	}
	for p := range s.panels() {
		k0, k := s.inner(p)
		for i := 0; i < b.n; i += e.rows {
			x := b.packed[rows*k0+i*k:]
			for g := b.from; g < b.to; g += group {
				t := tile[T]{b.strip, b.i0 + i, min(e.rows, b.n-i), s.j0 + g, min(group, b.to-g)}
				if last > 0 {
					t.data = b.strip[i*group:]
				}
				micro(t.data, group, x, s.packed[columns*k0+g*k:], k, ceil(t.cols, e.cols), p > 0)
				if p == last {
					s.complete(t, b.norms[i:], s.norms[g:])
				}
			}
		}
	}
	if s.symmetric {
		s.reflect(b.i0, b.n, s.j0+b.from, b.to-b.from)
	}
}

// complete turns inner products into squared distances and passes the tile to finish. In
// the symmetric case it drops the columns left of the diagonal block.
func (s *pairwise[T]) complete(t tile[T], norms, zNorms []T) {
	if s.symmetric {
		if skip := t.i/rowBlock*rowBlock - t.j; skip > 0 {
			t.data, t.j, t.cols, zNorms = t.data[skip:], t.j+skip, t.cols-skip, zNorms[skip:]
		}
	}
	if s.radial && !s.direct {
		s.distances(t, norms, zNorms)
	}
	s.finish(t)
}

// reflect copies rows [i0, i0+n), columns [j, j+cols), without the diagonal block, to
// the other triangle.
func (s *pairwise[T]) reflect(i0, n, j, cols int) {
	from := max(j, i0+rowBlock)
	if from >= j+cols {
		return
	}
	zeros := s.engine.buffer(cols)
	defer zeros.free()
	clear(zeros.data)
	src := s.mirror.block(i0, i0+n, from, j+cols)
	dst := s.mirror.block(from, j+cols, i0, i0+n)
	s.engine.transposeTo(dst, src, zeros.data)
}

// transposeTo sets dst = srcᵀ.
func (e *engine[T]) transposeTo(dst, src matrix[T], zeros []T) {
	rows, cols := src.rows&^3, src.cols&^3
	for i := 0; i < rows && cols > 0; i += 4 {
		e.transpose(dst.data[i:], dst.stride, src.data[i*src.stride:], src.stride, zeros, cols)
	}
	for i := range src.rows {
		from := cols
		if i >= rows {
			from = 0
		}
		for j, v := range src.row(i, from, src.cols) {
			dst.data[(from+j)*dst.stride+i] = v
		}
	}
}
