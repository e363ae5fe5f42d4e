package features

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// A basis draws the blocks of one kernel.
type basis interface {
	columns() int
	draw(s *source, workers int) Block
}

// exactBasis is the basis of a kernel that is the inner product of embedded points, or
// of the points themselves if the embedding is nil: finitely many features without
// error. All of its blocks are equal.
type exactBasis struct {
	by   kernel.Embedding
	d, n int
	gain float64
}

func (e exactBasis) columns() int { return e.n }

func (e exactBasis) draw(_ *source, workers int) Block {
	by := e.by
	if by == nil {
		by = kernel.RowEmbedding(func(dst, x []float64) { copy(dst, x) })
	}
	var b Block = &exactBlock{by, e.d, e.n, workers}
	if e.gain != 1 {
		b = &scaledBlock{b, math.Sqrt(e.gain), workers}
	}
	return b
}

type exactBlock struct {
	by      kernel.Embedding
	d, n    int
	workers int
}

func (b *exactBlock) TransformTo(dst, x blas64.General) {
	checkSizes(dst, x, b.d, b.n)
	b.by.EmbedTo(dst, x, b.workers)
}

func (b *exactBlock) Bytes() int { return 0 }

// fixedBasis is the basis of one block alone.
type fixedBasis struct {
	block Block
	n     int
}

func (f fixedBasis) columns() int            { return f.n }
func (f fixedBasis) draw(*source, int) Block { return f.block }

// blocksBasis is the basis of a kernel that draws its blocks.
type blocksBasis struct {
	of   Blocks
	d, n int
}

func (b blocksBasis) columns() int                { return b.n }
func (b blocksBasis) draw(s *source, _ int) Block { return b.of(s.word(), b.d, b.n) }

// embeddedBasis is a basis behind an embedding, which may be nil, times a scale.
type embeddedBasis struct {
	of    basis
	by    kernel.Embedding
	d     int
	scale float64
}

// newEmbeddedBasis puts the embedding of f before a basis, and a gain behind it.
func newEmbeddedBasis(of basis, f factor, gain float64) basis {
	return embeddedBasis{of, f.embedding, f.d, math.Sqrt(gain)}
}

func (e embeddedBasis) columns() int { return e.of.columns() }

func (e embeddedBasis) draw(s *source, workers int) Block {
	b := e.of.draw(s, workers)
	if e.by != nil {
		b = &embeddedBlock{by: e.by, d: e.d, columns: e.columns(), of: b, workers: workers}
	}
	if e.scale != 1 {
		b = &scaledBlock{b, e.scale, workers}
	}
	return b
}

// scaledBlock multiplies all features by a number.
type scaledBlock struct {
	of      Block
	scale   float64
	workers int
}

func (b *scaledBlock) TransformTo(dst, x blas64.General) {
	b.of.TransformTo(dst, x)
	eachRows(dst.Rows, b.workers, func(from, to int) {
		for i := from; i < to; i++ {
			floats.Scale(b.scale, compute.Row(dst, i))
		}
	})
}

func (b *scaledBlock) Bytes() int { return b.of.Bytes() }

// sumBasis is the basis of a sum of products: their features side by side.
type sumBasis struct {
	of    []basis
	total int
}

// newSumBasis splits the columns among the products. Exact features take what they
// need, where that is no more than an equal share; what is left goes to the others in
// equal numbers of pairs, the first ones getting one more where it does not divide.
func newSumBasis(products []product, columns int) *sumBasis {
	b := &sumBasis{of: make([]basis, len(products))}
	share := columns / len(products)
	var rest []int
	for i, p := range products {
		if n := p.exactColumns(); n > 0 && n <= share {
			b.of[i] = p.basis(n)
			columns -= n
			b.total += n
		} else {
			rest = append(rest, i)
		}
	}
	for left := len(rest); left > 0; left-- {
		i := rest[len(rest)-left]
		pairs := (columns/2 + left - 1) / left
		b.of[i] = products[i].basis(2 * pairs)
		columns -= 2 * pairs
		b.total += b.of[i].columns()
	}
	return b
}

func (b *sumBasis) columns() int { return b.total }

func (b *sumBasis) draw(s *source, workers int) Block {
	block := &sumBlock{columns: b.total}
	for _, p := range b.of {
		block.of = append(block.of, p.draw(s, workers))
		block.widths = append(block.widths, p.columns())
	}
	return block
}

type sumBlock struct {
	of      []Block
	widths  []int
	columns int
}

func (b *sumBlock) TransformTo(dst, x blas64.General) {
	checkSizes(dst, x, x.Cols, b.columns)
	at := 0
	for i, p := range b.of {
		p.TransformTo(compute.Columns(dst, at, at+b.widths[i]), x)
		at += b.widths[i]
	}
}

func (b *sumBlock) Bytes() int { return bytesOf(b.of) }

func bytesOf(blocks []Block) int {
	n := 0
	for _, b := range blocks {
		n += b.Bytes()
	}
	return n
}

func isExact(of basis) bool {
	switch of := of.(type) {
	case exactBasis:
		return true
	case *sumBasis:
		for _, p := range of.of {
			if !isExact(p) {
				return false
			}
		}
		return true
	}
	return false
}
