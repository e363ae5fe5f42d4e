package compute

// In-place inverses of triangular and of factored matrices, recursive on halves.
// Matrix products do most of the work.

// smallInverse is the size of triangles inverted without recursion. It also bounds
// the number of columns processed at a time. The scratch memory for these columns
// holds at most someNumbers elements or an eighth of the block.
const (
	smallInverse = 96
	someNumbers  = 1 << 16
)

// InvertUpper overwrites the upper triangle U with U⁻¹ and does not access the elements
// below the diagonal. If stopped is not nil and returns true, InvertUpper returns early
// with an incomplete result. O(n³/3), with at most 96n elements of scratch memory.
func InvertUpper(u Matrix, stopped func() bool, workers int) {
	newTriangle(u, stopped, workers).invert(u)
}

// InvertFactored overwrites U with the upper triangle of (UᵀU)⁻¹ and sets the elements
// below the diagonal to zero. If stopped is not nil and returns true, it returns early
// with an incomplete result. O(2n³/3).
func InvertFactored(u Matrix, stopped func() bool, workers int) {
	for i := range u.Rows {
		clear(Row(u, i)[:i])
	}
	t := newTriangle(u, stopped, workers)
	t.invert(u)
	t.square(u)
}

// triangle holds the settings of an inversion.
type triangle struct {
	stopped func() bool
	workers int
}

func newTriangle(u Matrix, stopped func() bool, workers int) triangle {
	if u.Rows != u.Cols {
		panic("compute: inverse of a triangle that is not square")
	}
	if stopped == nil {
		stopped = func() bool { return false }
	}
	return triangle{stopped: stopped, workers: workers}
}

// invert overwrites u with its inverse. With u = (A, B; 0, D) the inverse is
// (A⁻¹, −A⁻¹·B·D⁻¹; 0, D⁻¹).
func (t triangle) invert(u Matrix) {
	n := u.Rows
	if n <= smallInverse {
		t.invertSmall(u)
		return
	}
	first, corner, last := halves(u)
	t.invert(last)
	if t.stopped() {
		return
	}
	t.timesUpper(corner, last)
	SolveUpper(first, corner, false, t.workers)
	for i := range corner.Rows {
		row := Row(corner, i)
		for j := range row {
			row[j] = -row[j]
		}
	}
	t.invert(first)
}

// halves returns the three nonzero blocks of an upper triangle.
func halves(u Matrix) (first, corner, last Matrix) {
	n, h := u.Rows, u.Rows/2
	return Block(u, 0, h, 0, h), Block(u, 0, h, h, n), Block(u, h, n, h, n)
}

func (t triangle) invertSmall(u Matrix) {
	n := u.Rows
	memory := use64.buffer(n * n)
	defer memory.free()
	v := Matrix{Rows: n, Cols: n, Stride: n, Data: memory.data}
	Zero(v)
	for i := range n {
		v.Data[i*n+i] = 1
	}
	SolveUpper(u, v, false, t.workers)
	for i := range n {
		copy(Row(u, i)[i:], Row(v, i)[i:])
	}
}

// timesUpper overwrites b with b·v for the upper triangle v. It works from the last
// columns to the first, because a column of the result depends only on the columns of
// b up to it.
func (t triangle) timesUpper(b, v Matrix) {
	width := max(1, min(smallInverse, max(someNumbers, b.Rows*b.Cols/8)/(v.Rows+b.Rows)))
	memory := use64.buffer(width * (v.Rows + b.Rows))
	defer memory.free()
	for to := v.Rows; to > 0; {
		from := max(0, to-width)
		right := Matrix{Rows: to, Cols: to - from, Stride: to - from, Data: memory.data[:to*(to-from)]}
		for i := range to {
			row := Row(right, i)
			clear(row)
			copy(row[max(0, i-from):], Row(v, i)[max(i, from):to])
		}
		product := Matrix{Rows: b.Rows, Cols: to - from, Stride: to - from, Data: memory.data[v.Rows*(to-from):][:b.Rows*(to-from)]}
		Zero(product)
		MulNN(product, Columns(b, 0, to), right, t.workers)
		CopyTo(Columns(b, from, to), product)
		to = from
	}
}

// square overwrites the upper triangular v, with zeros below the diagonal, with the
// upper triangle of v·vᵀ. With v = (A, B; 0, D) it is (A·Aᵀ + B·Bᵀ, B·Dᵀ; 0, D·Dᵀ).
func (t triangle) square(v Matrix) {
	n := v.Rows
	if n <= smallInverse {
		memory := use64.buffer(n * n)
		defer memory.free()
		all := Matrix{Rows: n, Cols: n, Stride: n, Data: memory.data}
		Zero(all)
		t.addRowProducts(all, v)
		for i := range n {
			copy(Row(v, i)[i:], Row(all, i)[i:])
		}
		return
	}
	first, corner, last := halves(v)
	t.square(first)
	if t.stopped() {
		return
	}
	t.addRowProducts(first, corner)
	t.timesTransposed(corner, last)
	t.square(last)
}

// addRowProducts adds b·bᵀ to the upper triangle a.
func (t triangle) addRowProducts(a, b Matrix) {
	rows := rowsOf(of64(b))
	use64.multiply(of64(a), rows, rows, true, t.workers)
}

// timesTransposed overwrites b with b·vᵀ for the upper triangular v, with zeros below
// the diagonal. It works from the first columns to the last, because a column of the
// result does not depend on earlier columns of b.
func (t triangle) timesTransposed(b, v Matrix) {
	memory := use64.buffer(smallInverse * b.Rows)
	defer memory.free()
	for from, to := range Chunks(v.Rows, smallInverse) {
		product := Matrix{Rows: b.Rows, Cols: to - from, Stride: to - from, Data: memory.data[:b.Rows*(to-from)]}
		Zero(product)
		MulNT(product, Columns(b, from, b.Cols), Block(v, from, to, from, v.Cols), t.workers)
		CopyTo(Columns(b, from, to), product)
	}
}
