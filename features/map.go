package features

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/kernel"
)

// Map is an endless sequence of random features of a kernel on R^d, cut into
// blocks. A block is addressed by its number: it is drawn from (seed, number)
// alone, so it can be dropped and drawn again, in any order and on any machine,
// with the same bits. A Map is immutable and safe for concurrent use.
type Map interface {
	// Kernel returns the kernel whose features these are.
	Kernel() kernel.Kernel
	// Dim returns d, the number of columns of x.
	Dim() int
	// Columns returns the number of features of one block.
	Columns() int
	// Block draws the parameters of block b, numbered from 0.
	Block(b uint64) Block
}

// Block is one block of features, φ_b. By itself it is an unbiased estimate of
// the kernel, E[<φ_b(x), φ_b(z)>] = k(x, z), and so is the average over any
// number of blocks. A Block is immutable and safe for concurrent use.
type Block interface {
	// TransformTo sets row i of dst to φ_b(x_i): x is n×d, dst n×Columns. Both may
	// have a stride larger than their columns. It checks nothing but sizes, and
	// panics if these do not fit: callers pass rows that kernel.Check accepts. A
	// row of the result does not depend on the rows beside it.
	TransformTo(dst, x blas64.General)
	// Bytes returns the memory that the drawn parameters hold.
	Bytes() int
}
