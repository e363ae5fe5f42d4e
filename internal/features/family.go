package features

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// A family draws features of one kernel. Each of m draws gives a single column, or a pair of a cosine in
// column j and a sine in column m+j, with
//
//	E[φ_j(x)·φ_j(z)] = gain·k(x, z)/m.
//
// The product of draws of several families is a draw for the product of their kernels.
type family interface {
	paired() bool
	draw(draws int, gain float64, s *source, workers int) Block
}

// columnsFor returns the number of columns of the draws.
func columnsFor(draws int, paired bool) int {
	if paired {
		return 2 * draws
	}
	return draws
}

// drawsIn returns the number of draws in the columns.
func drawsIn(columns int, paired bool) int {
	if paired {
		return columns / 2
	}
	return columns
}

// Blocks is the Family of a kernel.Representation that draws its own blocks. It returns a block of the
// given number of columns for points of length d. The block depends only on seed. Each block has its
// own seed. Samplers do not apply, and the kernel cannot be a factor of a product.
type Blocks func(seed uint64, d, columns int) Block

// embedded is the family of a kernel of embedded points.
type embedded struct {
	family
	by gram.Embedding
	d  int
}

func (f embedded) draw(draws int, gain float64, s *source, workers int) Block {
	of := f.family.draw(draws, gain, s, workers)
	return &embeddedBlock{f.by, f.d, columnsFor(draws, f.paired()), draws, of, workers}
}

type embeddedBlock struct {
	by                gram.Embedding
	d, columns, draws int // draws is 0 if keep is not called
	of                Block
	workers           int
}

func (b *embeddedBlock) TransformTo(dst, x blas64.General) {
	checkSizes(dst, x, b.d, b.columns)
	y, memory := allocateMatrix(x.Rows, b.by.Width(b.d))
	defer release(memory)
	b.by.EmbedTo(y, x, b.workers)
	b.of.TransformTo(dst, y)
}

func (b *embeddedBlock) transformPoints(dst compute.Matrix, x compute.Points) {
	if x.Sparse == nil {
		b.TransformTo(dst, x.Matrix)
	} else if images, ok := gram.EmbedPoints(b.by, x, b.workers); ok {
		TransformPoints(b.of, dst, images)
	} else {
		eachDense(dst, x, b.TransformTo)
	}
}

func (b *embeddedBlock) Bytes() int { return b.of.Bytes() }

// embeddedRows is the number of rows in a block of single.
const embeddedRows = 256

// single embeds in double precision. It requires a linear embedding, because an encoding would not
// recognise rounded codes.
func (b *embeddedBlock) single() (transform func(dst, x compute.Matrix32), ok bool) {
	of, ok := Single(b.of)
	if !ok || !isLinear(b.by) {
		return nil, false
	}
	return func(dst, x compute.Matrix32) {
		compute.Parallel((x.Rows+embeddedRows-1)/embeddedRows, b.workers, func(i int) {
			from, to := i*embeddedRows, min((i+1)*embeddedRows, x.Rows)
			rows, memory := allocateMatrix(to-from, b.d)
			defer release(memory)
			images, more := allocateMatrix(to-from, b.by.Width(b.d))
			defer release(more)
			widen(rows, rows32(x, from, to))
			b.by.EmbedTo(images, rows, 1)
			of(rows32(dst, from, to), rounded(images))
		})
	}, true
}

// dividing maps x to x/scales.
func dividing(scales []float64) gram.Embedding { return gram.Division(scales) }

// composition applies the first embedding and then the second.
type composition struct{ first, second gram.Embedding }

func (c composition) Width(d int) int { return c.second.Width(c.first.Width(d)) }

// EmbedSparse implements gram.SparseEmbedding.
func (c composition) EmbedSparse(x *compute.Sparse, workers int) (compute.Points, bool) {
	y, ok := gram.EmbedPoints(c.first, compute.SparsePoints(x), workers)
	if !ok {
		return y, false
	}
	return gram.EmbedPoints(c.second, y, workers)
}

func (c composition) EmbedTo(dst, x blas64.General, workers int) {
	y, memory := allocateMatrix(x.Rows, c.first.Width(x.Cols))
	defer release(memory)
	c.first.EmbedTo(y, x, workers)
	c.second.EmbedTo(dst, y, workers)
}

func (b *embeddedBlock) keep(draws []int) Block {
	c := *b
	c.columns = b.columns / b.draws * len(draws)
	c.draws = len(draws)
	c.of = b.of.(subset).keep(draws)
	return &c
}

func (b *embeddedBlock) transformRow(dst, x []float64) {
	memory := allocate(b.by.Width(b.d))
	defer release(memory)
	gram.EmbedRow(b.by, *memory, x)
	TransformRow(b.of, dst, *memory)
}
