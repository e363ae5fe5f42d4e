package features

import (
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Products computes features of sparse rows of many columns by their inner products with the directions that
// blocks draw, which takes longer than the features of them, and keeps some of these. Isotropic kernels of x − z have
// the same directions in blocks of the same number and seed, whatever their lengths and
// families, and so have those of columns divided by the same scales. The zero value keeps nothing.
type Products struct {
	Budget int64 // bytes of what is kept

	x      compute.Points
	rows   *Rows
	scales []float64 // of the columns, or nil
	kept   map[compute.Address]compute.Matrix
	size   int64 // bytes of all that are kept
}

// TransformPoints is the function of that name, to the bit. What is kept is that of rows x and
// of scales of their columns, until it is called with others.
func (p *Products) TransformPoints(b Block, dst compute.Matrix, x compute.Points) {
	of, ok := b.(*wideFourierBlock)
	if !ok || x.Sparse == nil {
		TransformPoints(b, dst, x)
		return
	}
	checkSizes(dst, x.Matrix, of.d, 2*of.draws)
	p.take(of, x)
	if products, ok := p.of(of); ok {
		compute.FourierPairsOf(dst, products, of.w.factors, of.scale(), of.workers)
		return
	}
	p.rows.TransformTo(b, dst)
}

// take turns to rows x and the scales of a block.
func (p *Products) take(f *wideFourierBlock, x compute.Points) {
	same := p.x.Sparse == x.Sparse && p.rows != nil || p.x.Equal(x)
	if !same || p.rows.drawn.Draws() != f.draws {
		*p = Products{Budget: p.Budget, x: x, rows: NewRows(f, x, compute.Indices(x.Rows), f.workers)}
	}
	if !slices.Equal(p.scales, f.w.scales) || p.kept == nil {
		p.scales, p.kept, p.size = f.w.scales, map[compute.Address]compute.Matrix{}, 0
	}
}

// of returns the products of x with the directions of f, if they are kept or there is room for them.
func (p *Products) of(f *wideFourierBlock) (products compute.Matrix, ok bool) {
	if f.w.normals == (compute.Address{}) {
		return products, false
	}
	if products, ok = p.kept[f.w.normals]; ok {
		return products, true
	}
	size := 8 * int64(p.x.Rows) * int64(f.draws)
	if p.size+size > p.Budget {
		return products, false
	}
	products = compute.NewMatrix(p.x.Rows, f.draws)
	p.rows.drawn.ProductsTo(products, f.drawing(), f.workers)
	p.kept[f.w.normals] = products
	p.size += size
	return products, true
}
