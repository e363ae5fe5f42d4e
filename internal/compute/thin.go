package compute

// Products with few rows or columns of C. Packing the larger factor would cost more than
// the product, so it is read in place, once.

// fewVectors is the largest number of vectors of A for multiplyFewRows.
const fewVectors = 16

// fewRows reports whether multiplyFewRows applies: the rows of B must be contiguous.
func (e *engine[T]) fewRows(a, b factor[T]) bool {
	return a.count() <= fewVectors && b.count() >= e.cols && b.transposed && !b.negated
}

// fewColumns reports whether multiplyFewColumns applies.
func (e *engine[T]) fewColumns(a, b factor[T]) bool {
	return b.count() <= 2*e.lanes && a.count() >= narrowRows && !a.transposed && !a.negated
}

// packAll packs all vectors of f, one inner range at a time.
func (e *engine[T]) packAll(f factor[T], width int) buffer[T] {
	n, k := ceil(f.count(), width)*width, f.inner()
	zeros, packed := e.buffer(innerBlock), e.buffer(n*k)
	defer zeros.free()
	clear(zeros.data)
	for k0 := 0; k0 < k; k0 += innerBlock {
		e.pack(packed.data[n*k0:], f, 0, f.count(), k0, min(innerBlock, k-k0), width, zeros.data)
	}
	return packed
}

// multiplyFewRows adds A·Bᵀ to C. A has few vectors and is packed; the vectors of B are
// the columns of a matrix.
func (e *engine[T]) multiplyFewRows(c matrix[T], a, b factor[T], workers int) {
	packed := e.packAll(a, e.rows)
	defer packed.free()
	tiles := ceil(c.cols, e.cols)
	share := max(1, min(8, tiles/(2*workers)))
	Parallel(ceil(tiles, share), workers, func(t int) {
		from, to := t*share*e.cols, min((t+1)*share*e.cols, c.cols)
		whole := (to - from) / e.cols * e.cols
		e.addFewRows(c, packed.data, b, from, from+whole)
		if from+whole < to {
			e.addLastColumns(c, packed.data, b, from+whole)
		}
	})
}

// multiplyFewRowsOfTransposed adds A·Bᵀ to C for a B with few vectors, by applying
// multiplyFewRows to Cᵀ.
func (e *engine[T]) multiplyFewRowsOfTransposed(c matrix[T], a, b factor[T], workers int) {
	values := e.buffer(c.rows * c.cols)
	defer values.free()
	t := matrix[T]{c.cols, c.rows, c.rows, values.data}
	for j := range c.cols {
		for i, row := 0, t.row(j, 0, t.cols); i < c.rows; i++ {
			row[i] = c.data[i*c.stride+j]
		}
	}
	e.multiplyFewRows(t, b, a, workers)
	for j := range c.cols {
		for i, v := range t.row(j, 0, t.cols) {
			c.data[i*c.stride+j] = v
		}
	}
}

// addFewRows adds columns [from, to) of the product, a whole number of tiles.
func (e *engine[T]) addFewRows(c matrix[T], a []T, b factor[T], from, to int) {
	tile := e.buffer(e.rows * (to - from))
	defer tile.free()
	rows := ceil(c.rows, e.rows) * e.rows
	for k0 := 0; k0 < b.inner(); k0 += innerBlock {
		k := min(innerBlock, b.inner()-k0)
		for i := 0; i < c.rows; i += e.rows {
			e.streamed(tile.data, to-from, a[rows*k0+i*k:], b.data[k0*b.stride+from:], b.stride, k, (to-from)/e.cols)
			c.addTile(i, from, min(e.rows, c.rows-i), to-from, tile.data, to-from)
		}
	}
}

// addLastColumns adds the columns from the given one on. They are fewer than a tile and
// are packed.
func (e *engine[T]) addLastColumns(c matrix[T], a []T, b factor[T], from int) {
	tile, packed := e.buffer(e.rows*e.cols), e.buffer(e.cols*innerBlock)
	defer tile.free()
	defer packed.free()
	rows := ceil(c.rows, e.rows) * e.rows
	for k0 := 0; k0 < b.inner(); k0 += innerBlock {
		k := min(innerBlock, b.inner()-k0)
		e.pack(packed.data, b, from, c.cols-from, k0, k, e.cols, nil)
		for i := 0; i < c.rows; i += e.rows {
			e.product(tile.data, e.cols, a[rows*k0+i*k:], packed.data, k, 1, false)
			c.addTile(i, from, min(e.rows, c.rows-i), c.cols-from, tile.data, e.cols)
		}
	}
}

// narrowRows is the number of rows that narrow processes per call.
const narrowRows = 8

// multiplyFewColumns adds A·Bᵀ to C. B has few vectors and is packed; the vectors of A are
// the rows of a matrix.
func (e *engine[T]) multiplyFewColumns(c matrix[T], a, b factor[T], workers int) {
	packed := e.packAll(b, e.lanes)
	defer packed.free()
	Parallel(ceil(c.rows, rowBlock), workers, func(t int) {
		for i := t * rowBlock; i < min((t+1)*rowBlock, c.rows); i += narrowRows {
			// If fewer than narrowRows rows remain, compute some previous rows again.
			first := min(i, c.rows-narrowRows)
			e.addNarrow(c, a, packed.data, first, i)
		}
	})
}

// addNarrow computes narrowRows rows from row first on and adds the rows from row from on.
func (e *engine[T]) addNarrow(c matrix[T], a factor[T], b []T, first, from int) {
	tile := e.buffer(narrowRows * e.lanes)
	defer tile.free()
	columns := ceil(c.cols, e.lanes) * e.lanes
	for k0 := 0; k0 < a.inner(); k0 += innerBlock {
		k := min(innerBlock, a.inner()-k0)
		for j := 0; j < c.cols; j += e.lanes {
			e.narrow(tile.data, a.data[first*a.stride+k0:], a.stride, b[columns*k0+j*k:], k)
			c.addTile(from, j, first+narrowRows-from, min(e.lanes, c.cols-j), tile.data[(from-first)*e.lanes:], e.lanes)
		}
	}
}

// addTile adds an n×m tile to c at row i, column j.
func (c matrix[T]) addTile(i, j, n, m int, tile []T, stride int) {
	for r := range n {
		row := c.row(i+r, j, j+m)
		for q, s := range tile[r*stride : r*stride+m] {
			row[q] += s
		}
	}
}
