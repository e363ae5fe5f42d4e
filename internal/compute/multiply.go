package compute

// innerBlock is the number of terms that one chain of fused multiply-adds sums.
// It is part of the definition of every result.
const innerBlock = 256

// Blocks of a product, in elements: what is packed of the second factor at a
// time stays in the shared cache, a part of it that the inner loop passes over
// in that of the core, together with a block of rows of the first.
const (
	sharedBlock = 1 << 19
	passBlock   = 1 << 15
	rowBlock    = 96
	// smallResult is the number of elements of C up to which a smaller block is packed: the larger, which is
	// faster by some hundredths, would be no less than a quarter of C.
	smallResult = 1 << 21
)

// A multiplication adds A·Bᵀ to C, or to its upper triangle only, for factors A
// and B: n and m vectors of length k. Its fields from k0 on describe the block
// that is being worked on.
type multiplication[T float] struct {
	engine *engine[T]
	c      matrix[T]
	a, b   factor[T]
	upper  bool
	zeros  []T

	k0, k     int // inner range
	j0, m     int // range of vectors of B
	packed    []T // these vectors
	rowTasks  int
	colTasks  int
	taskWidth int // vectors of B in a task
}

// multiply adds A·Bᵀ to C.
func (e *engine[T]) multiply(c matrix[T], a, b factor[T], upper bool, workers int) {
	n, m, k := a.count(), b.count(), a.inner()
	if b.inner() != k || c.rows != n || c.cols != m {
		panic("compute: sizes of a product do not match")
	}
	if n == 0 || m == 0 || k == 0 {
		return
	}
	workers = workersFor(n*m*k, workers)
	switch {
	case upper:
	case e.fewRows(a, b):
		e.multiplyFewRows(c, a, b, workers)
		return
	case e.fewColumns(a, b):
		e.multiplyFewColumns(c, a, b, workers)
		return
	case e.fewRows(b, a):
		e.multiplyFewRowsOfTransposed(c, a, b, workers)
		return
	}
	zeros := e.buffer(innerBlock)
	clear(zeros.data)
	x := &multiplication[T]{engine: e, c: c, a: a, b: b, upper: upper, zeros: zeros.data}
	for k0 := 0; k0 < k; k0 += innerBlock {
		x.k0, x.k = k0, min(innerBlock, k-k0)
		x.panel(m, workers)
	}
	zeros.free()
}

// panel adds the terms of one inner range.
func (x *multiplication[T]) panel(m, workers int) {
	width := x.engine.cols
	shared := sharedBlock
	if x.c.rows*m <= smallResult || workers == 1 && m*x.k <= 2*smallBlock { // of one worker several go on side by side, as a rule
		shared = smallBlock
	}
	chunk := max(shared/x.k, 8*width) / width * width
	packed := x.engine.block(ceil(min(chunk, m), width) * width * x.k)
	defer packed.free()
	for x.j0 = 0; x.j0 < m; x.j0 += chunk {
		x.m = min(chunk, m-x.j0)
		x.packed = packed.data
		x.packSecond(workers)
		x.split(workers)
		Parallel(x.rowTasks*x.colTasks, workers, x.task)
	}
}

// packSecond packs the vectors of B of the block.
func (x *multiplication[T]) packSecond(workers int) {
	width := 16 * x.engine.cols
	if x.m*x.k < 1<<14 {
		workers = 1
	}
	Parallel(ceil(x.m, width), workers, func(i int) {
		from := i * width
		n := min(width, x.m-from)
		x.engine.pack(x.packed[from*x.k:], x.b, x.j0+from, n, x.k0, x.k, x.engine.cols, x.zeros)
	})
}

// split cuts the block of C into tasks: by rows, and where these are few by
// columns too.
func (x *multiplication[T]) split(workers int) {
	x.rowTasks = ceil(x.c.rows, rowBlock)
	x.colTasks, x.taskWidth = 1, ceil(x.m, x.engine.cols)*x.engine.cols
	if workers > 1 && x.rowTasks < 2*workers {
		x.taskWidth = max(ceil(x.m*x.rowTasks, 2*workers*x.engine.cols), 4) * x.engine.cols
		x.colTasks = ceil(x.m, x.taskWidth)
	}
}

// task works on one block of rows and of columns.
func (x *multiplication[T]) task(t int) {
	i0, j0 := t/x.colTasks*rowBlock, t%x.colTasks*x.taskWidth
	n, m := min(rowBlock, x.c.rows-i0), min(x.taskWidth, x.m-j0)
	if x.upper && i0 >= x.j0+j0+m {
		return
	}
	e := x.engine
	packed := e.buffer(ceil(n, e.rows) * e.rows * x.k)
	e.pack(packed.data, x.a, i0, n, x.k0, x.k, e.rows, x.zeros)
	pass := max(passBlock/x.k/e.cols, 1) * e.cols
	for j := j0; j < j0+m; j += pass {
		for i := 0; i < n; i += e.rows {
			x.strip(i0+i, j, min(pass, j0+m-j), packed.data[i*x.k:])
		}
	}
	packed.free()
}

// strip adds one panel of A times panels of B: from row i, and column j of the
// block, m columns wide.
func (x *multiplication[T]) strip(i, j, m int, a []T) {
	e := x.engine
	first, last := j, j+m-m%e.cols
	micro := e.product
	if live := x.c.rows - i; live == 1 {
		micro = e.productRow
	} else if live < e.rows {
		last = first
	}
	if x.upper {
		// Tiles left of the diagonal are left out, those on it cut.
		for ; first < last && x.j0+first < i+e.rows-1; first += e.cols {
			x.cut(i, first, j+m, a)
		}
	}
	if first < last {
		at := i*x.c.stride + x.j0 + first
		micro(x.c.data[at:], x.c.stride, a, x.packed[first*x.k:], x.k, (last-first)/e.cols, true)
	}
	for last = max(first, last); last < j+m; last += e.cols {
		x.cut(i, last, j+m, a)
	}
}

// cut adds a tile that reaches beyond C, beyond column limit of the block or
// below the diagonal.
func (x *multiplication[T]) cut(i, j, limit int, a []T) {
	e := x.engine
	if x.upper && x.j0+j+e.cols <= i {
		return
	}
	tile := e.buffer(e.rows * e.cols)
	e.product(tile.data, e.cols, a, x.packed[j*x.k:], x.k, 1, false)
	for r := range min(e.rows, x.c.rows-i) {
		from := 0
		if x.upper {
			from = max(0, i+r-x.j0-j)
		}
		to := min(e.cols, limit-j)
		if from >= to {
			continue
		}
		row := x.c.row(i+r, x.j0+j+from, x.j0+j+to)
		for q, s := range tile.data[r*e.cols+from : r*e.cols+to] {
			row[q] += s
		}
	}
	tile.free()
}
