package compute

// SolveUpper overwrites B with U⁻¹B, or with U⁻ᵀB if trans is true. U is the upper
// triangle of an n×n matrix; B is n×k. The solution is recursive on halves of U, so matrix
// products do most of the work. O(n²k).
func SolveUpper(u, b Matrix, trans bool, workers int) {
	if u.Rows != u.Cols || u.Rows != b.Rows {
		panic("compute: sizes of a triangular solve do not match")
	}
	if b.Rows > 0 && b.Cols > 0 {
		use64.solveUpper(of64(u), of64(b), trans, workersFor(u.Rows*u.Rows*b.Cols, workers))
	}
}

// inverseColumns is the number of columns of U⁻¹ that InverseDiagonal computes at a time.
const inverseColumns = 256

// InverseDiagonal returns the diagonal of A⁻¹ = U⁻¹·U⁻ᵀ for a Cholesky factor U with
// A = UᵀU. It calls more with the number of completed columns and returns nil if more
// returns false. O(n³/3).
func InverseDiagonal(u Matrix, more func(done int) bool, workers int) []float64 {
	n := u.Rows
	diag, columns := make([]float64, n), NewMatrix(n, min(n, inverseColumns))
	for from, to := range Chunks(n, inverseColumns) {
		if !more(from) {
			return nil
		}
		v := Block(columns, 0, to, 0, to-from)
		Zero(v)
		for j := range to - from {
			v.Data[(from+j)*v.Stride+j] = 1
		}
		SolveUpper(Block(u, 0, to, 0, to), v, false, workers)
		for i := range to {
			for _, w := range Row(v, i) {
				diag[i] += float64(w * w)
			}
		}
	}
	return diag
}

// stripWidth is the number of columns of B solved together.
const stripWidth = 32

// small is the size of triangles solved without recursion.
const small = 64

// half returns the size of the first block of a triangle of size n > small.
func half(n int) int { return ceil(n, 2*small) * small }

func (e *engine[T]) solveUpper(u, b matrix[T], trans bool, workers int) {
	n := u.rows
	if n <= small {
		Parallel(ceil(b.cols, stripWidth), workers, func(i int) {
			from := i * stripWidth
			e.solveStrip(u, b.block(0, n, from, min(from+stripWidth, b.cols)), trans)
		})
		return
	}
	h := half(n)
	first, rest, last := u.block(0, h, 0, h), u.block(0, h, h, n), u.block(h, n, h, n)
	top, bottom := b.block(0, h, 0, b.cols), b.block(h, n, 0, b.cols)
	if trans {
		e.solveUpper(first, top, true, workers)
		e.multiply(bottom, minus(columnsOf(rest)), columnsOf(top), false, workers)
		e.solveUpper(last, bottom, true, workers)
		return
	}
	e.solveUpper(last, bottom, false, workers)
	e.multiply(top, minus(rowsOf(rest)), columnsOf(bottom), false, workers)
	e.solveUpper(first, top, false, workers)
}

func minus[T float](f factor[T]) factor[T] {
	f.negated = true
	return f
}

// solveStrip solves a small triangle for at most stripWidth columns, in scratch memory of
// that width.
func (e *engine[T]) solveStrip(u, b matrix[T], trans bool) {
	const w = stripWidth
	n := u.rows
	scratch := e.buffer(n * w)
	defer scratch.free()
	x := scratch.data
	clear(x)
	for i := range n {
		copy(x[i*w:], b.row(i, 0, b.cols))
	}
	if trans {
		for i := range n {
			e.eliminate(x[i*w:(i+1)*w], u.data[i:], u.stride, x, w, i, u.data[i*u.stride+i])
		}
	} else {
		for i := n - 1; i >= 0; i-- {
			e.eliminate(x[i*w:(i+1)*w], u.data[min(i*u.stride+i+1, len(u.data)):], 1, x[(i+1)*w:], w, n-1-i, u.data[i*u.stride+i])
		}
	}
	for i := range n {
		copy(b.row(i, 0, b.cols), x[i*w:])
	}
}

func eliminateGo(row, coef []float64, step int, b []float64, stride, n int, pivot float64) {
	for j, s := range row {
		for i := range n {
			s = fma(-coef[i*step], b[i*stride+j], s)
		}
		row[j] = s / pivot
	}
}
