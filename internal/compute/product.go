package compute

// MulNT adds A·Bᵀ to C: A is n×k, B is m×k, C is n×m. O(n·m·k).
func MulNT(c, a, b Matrix, workers int) {
	use64.multiply(of64(c), rowsOf(of64(a)), rowsOf(of64(b)), false, workers)
}

// MulNN adds A·B to C: A is n×k, B is k×m, C is n×m. O(n·m·k).
func MulNN(c, a, b Matrix, workers int) {
	use64.multiply(of64(c), rowsOf(of64(a)), columnsOf(of64(b)), false, workers)
}

// MulTN adds Aᵀ·B to C: A is k×n, B is k×m, C is n×m. O(n·m·k).
func MulTN(c, a, b Matrix, workers int) {
	use64.multiply(of64(c), columnsOf(of64(a)), columnsOf(of64(b)), false, workers)
}

// AddGram adds Aᵀ·A to the upper triangle of C and leaves the rest alone: A is
// n×m, C is m×m. O(n·m²/2).
func AddGram(c, a Matrix, workers int) {
	use64.multiply(of64(c), columnsOf(of64(a)), columnsOf(of64(a)), true, workers)
}

func rowsOf[T float](m matrix[T]) factor[T]    { return factor[T]{matrix: m} }
func columnsOf[T float](m matrix[T]) factor[T] { return factor[T]{matrix: m, transposed: true} }
