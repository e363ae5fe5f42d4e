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

// SubtractTN subtracts Aᵀ·B from C: A is k×n, B is k×m, C is n×m. O(n·m·k).
func SubtractTN(c, a, b Matrix, workers int) {
	of := columnsOf(of64(a))
	of.negated = true
	use64.multiply(of64(c), of, columnsOf(of64(b)), false, workers)
}

// AddGram adds Aᵀ·A to the upper triangle of C, without access to the rest of C: A is
// n×m, C is m×m. O(n·m²/2).
func AddGram(c, a Matrix, workers int) {
	use64.multiply(of64(c), columnsOf(of64(a)), columnsOf(of64(a)), true, workers)
}

// AddRowGram adds A·Aᵀ to the upper triangle of C, without access to the rest of C: A is
// n×m, C is n×n. O(n²·m/2).
func AddRowGram(c, a Matrix, workers int) {
	use64.multiply(of64(c), rowsOf(of64(a)), rowsOf(of64(a)), true, workers)
}

func rowsOf[T float](m matrix[T]) factor[T]    { return factor[T]{matrix: m} }
func columnsOf[T float](m matrix[T]) factor[T] { return factor[T]{matrix: m, transposed: true} }

// MulNN32 is MulNN in single precision.
func MulNN32(c, a, b Matrix32, workers int) {
	use32.multiply(of32(c), rowsOf(of32(a)), columnsOf(of32(b)), false, workers)
}

// MulTN32 is MulTN in single precision.
func MulTN32(c, a, b Matrix32, workers int) {
	use32.multiply(of32(c), columnsOf(of32(a)), columnsOf(of32(b)), false, workers)
}

// AddGram32 is AddGram in single precision.
func AddGram32(c, a Matrix32, workers int) {
	use32.multiply(of32(c), columnsOf(of32(a)), columnsOf(of32(a)), true, workers)
}

// AddRowGram32 is AddRowGram in single precision.
func AddRowGram32(c, a Matrix32, workers int) {
	use32.multiply(of32(c), rowsOf(of32(a)), rowsOf(of32(a)), true, workers)
}
