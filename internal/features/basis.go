package features

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// A basis draws the blocks of one kernel.
type basis struct {
	columns int
	draw    func(s *source, workers int) Block
	exact   bool          // finitely many features without error: all blocks are equal
	product *productBasis // source of draw, or nil
}

// fixedBasis returns the basis in which every block is the given one, of n columns.
func fixedBasis(block Block, n int) basis {
	return basis{columns: n, draw: func(*source, int) Block { return block }}
}

// exactBasis returns the basis of the inner product of embedded points, or of the points themselves if
// the embedding is nil.
func exactBasis(by gram.Embedding, d, n int, gain float64) basis {
	if by == nil {
		by = identity{}
	}
	draw := func(_ *source, workers int) Block {
		return scaled(&exactBlock{by, d, n, workers}, math.Sqrt(gain), workers)
	}
	return basis{columns: n, exact: true, draw: draw}
}

type exactBlock struct {
	by      gram.Embedding
	d, n    int
	workers int
}

func (b *exactBlock) TransformTo(dst, x blas64.General) {
	checkSizes(dst, x, b.d, b.n)
	b.by.EmbedTo(dst, x, b.workers)
}

func (b *exactBlock) transformPoints(dst compute.Matrix, x compute.Points) {
	if x.Sparse == nil {
		b.TransformTo(dst, x.Matrix)
	} else if images, ok := gram.EmbedPoints(b.by, x, b.workers); ok {
		images.DenseTo(dst)
	} else {
		eachDense(dst, x, b.TransformTo)
	}
}

func (b *exactBlock) Bytes() int { return 0 }

// identity is the embedding x.
type identity struct{}

func (identity) Width(d int) int { return d }

func (identity) EmbedTo(dst, x blas64.General, _ int) { compute.CopyTo(dst, x) }

func (identity) EmbedSparse(x *compute.Sparse, _ int) (compute.Points, bool) {
	return compute.SparsePoints(x), true
}

// blocksBasis returns the basis of a kernel that draws its own blocks.
func blocksBasis(of Blocks, d, n int) basis {
	return basis{columns: n, draw: func(s *source, _ int) Block { return of(s.word(), d, n) }}
}

// behind applies the embedding of f before a basis, and multiplies the kernel by gain.
func (of basis) behind(f factor, gain float64) basis {
	draw := func(s *source, workers int) Block {
		b := of.draw(s, workers)
		if f.embedding != nil {
			b = &embeddedBlock{by: f.embedding, d: f.d, columns: of.columns, of: b, workers: workers}
		}
		return scaled(b, math.Sqrt(gain), workers)
	}
	return basis{columns: of.columns, draw: draw}
}

// rowsBlock applies a function to each row of another block.
type rowsBlock struct {
	Block
	change  func(row []float64)
	scale   float64 // the factor of change, or 0 if it is not a scaling
	workers int
}

func (b *rowsBlock) TransformTo(dst, x blas64.General) {
	b.transformPoints(dst, compute.DensePoints(x))
}

func (b *rowsBlock) transformPoints(dst compute.Matrix, x compute.Points) {
	TransformPoints(b.Block, dst, x)
	eachRows(dst.Rows, b.workers, func(from, to int) {
		for i := from; i < to; i++ {
			b.change(compute.Row(dst, i))
		}
	})
}

// scaled returns a block with all features multiplied by scale.
func scaled(of Block, scale float64, workers int) Block {
	if scale == 1 {
		return of
	}
	return &rowsBlock{of, func(row []float64) { floats.Scale(scale, row) }, scale, workers}
}

// newSumBasis returns the basis of a sum of products, which concatenates their features. Exact features
// get all their columns if these are at most an equal share. Other products share the remaining columns
// evenly, in pairs.
func newSumBasis(products []product, columns int) basis {
	of := make([]basis, len(products))
	sum := basis{exact: true}
	assign := func(i, n int) {
		of[i] = products[i].basis(n)
		sum.columns += of[i].columns
		sum.exact = sum.exact && of[i].exact
		columns -= n
	}
	share := columns / len(products)
	var rest []int
	for i, p := range products {
		if n := p.exactColumns(); n > 0 && n <= share {
			assign(i, n)
		} else {
			rest = append(rest, i)
		}
	}
	for left := len(rest); left > 0; left-- {
		assign(rest[len(rest)-left], 2*((columns/2+left-1)/left))
	}
	sum.draw = func(s *source, workers int) Block {
		block := &sumBlock{columns: sum.columns}
		for _, p := range of {
			block.of = append(block.of, p.draw(s, workers))
			block.widths = append(block.widths, p.columns)
		}
		return block
	}
	return sum
}

type sumBlock struct {
	of      []Block
	widths  []int
	columns int
}

func (b *sumBlock) TransformTo(dst, x blas64.General) { b.transformPoints(dst, compute.DensePoints(x)) }

func (b *sumBlock) transformPoints(dst compute.Matrix, x compute.Points) {
	checkSizes(dst, x.Matrix, x.Cols, b.columns)
	at := 0
	for i, p := range b.of {
		TransformPoints(p, compute.Columns(dst, at, at+b.widths[i]), x)
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

func (b *exactBlock) transformRow(dst, x []float64) { gram.EmbedRow(b.by, dst, x) }

func (b *rowsBlock) transformRow(dst, x []float64) {
	TransformRow(b.Block, dst, x)
	b.change(dst)
}
