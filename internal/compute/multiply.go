package compute

// innerBlock is the number of terms in one chain of fused multiply-adds. Changing it
// changes the bits of every result.
const innerBlock = 256

// Block sizes of a product, in elements.
const (
	sharedBlock = 1 << 19
	passBlock   = 1 << 15
	rowBlock    = 96
	// smallResult is the largest C for which the second factor is packed in blocks of
	// smallBlock elements. Larger blocks are a few percent faster, but their memory would
	// exceed a quarter of C.
	smallResult = 1 << 21
)

// A multiplication adds A·Bᵀ to C or to its upper triangle. A has n vectors and B has m
// vectors, all of length k. The fields from k0 on describe the current block.
type multiplication[T float] struct {
	engine *engine[T]
	c      matrix[T]
	a, b   factor[T]
	upper  bool
	zeros  []T

	k0, k     int // range of the inner dimension
	j0, m     int // range of vectors of B
	packed    []T // the packed vectors of B
	rowTasks  int
	colTasks  int
	taskWidth int // vectors of B per task
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
	if x.c.rows*m <= smallResult || workers == 1 && m*x.k <= 2*smallBlock { // several products with one worker usually run concurrently
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

// packSecond packs the vectors of B of the current block.
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

// split divides the block of C into tasks by rows, and also by columns if there are too
// few rows for all workers.
func (x *multiplication[T]) split(workers int) {
	x.rowTasks = ceil(x.c.rows, rowBlock)
	x.colTasks, x.taskWidth = 1, ceil(x.m, x.engine.cols)*x.engine.cols
	if workers > 1 && x.rowTasks < 2*workers {
		x.taskWidth = max(ceil(x.m*x.rowTasks, 2*workers*x.engine.cols), 4) * x.engine.cols
		x.colTasks = ceil(x.m, x.taskWidth)
	}
}

// task computes one block of rows and columns.
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

// strip adds the product of one panel of A and several panels of B. It starts at row i
// of C and column j of the block, and is m columns wide.
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
		// Skip tiles left of the diagonal and cut tiles on it.
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

// cut adds the part of a tile that is inside C, left of column limit of the block, and
// not below the diagonal of an upper triangle.
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
