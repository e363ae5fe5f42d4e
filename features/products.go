package features

import (
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Products keeps the inner products of sparse rows of many columns with the directions that
// blocks draw, which takes longer than the features of them. Isotropic kernels of x − z have
// the same directions in blocks of the same number and seed, whatever their lengths and
// families, and so have those of columns divided by the same scales. The zero value is ready.
type Products struct {
	x      compute.Points
	scales []float64 // of the columns, or nil
	kept   map[compute.Address]compute.Matrix
	size   int // elements of all that are kept
}

// mostProducts bounds the elements that are kept, to 128 MB.
const mostProducts = 1 << 24

// TransformPoints is the function of that name, to the bit. What is kept is that of rows x and
// of scales of their columns, until it is called with others.
func (p *Products) TransformPoints(b Block, dst compute.Matrix, x compute.Points) {
	if of, ok := b.(*wideFourierBlock); ok && x.Sparse != nil && of.w.normals != (compute.Address{}) {
		checkSizes(dst, x.Matrix, of.d, 2*of.draws)
		if products, ok := p.of(of, x); ok {
			compute.FourierPairsOf(dst, products, of.w.factors, of.scale(), of.workers)
			return
		}
	}
	TransformPoints(b, dst, x)
}

// of returns the products of x with the directions of f, unless they are too many.
func (p *Products) of(f *wideFourierBlock, x compute.Points) (products compute.Matrix, ok bool) {
	if !p.x.Equal(x) || !slices.Equal(p.scales, f.w.scales) {
		*p = Products{x: x, scales: f.w.scales, kept: map[compute.Address]compute.Matrix{}}
	}
	if products, ok = p.kept[f.w.normals]; ok && products.Cols == f.draws {
		return products, true
	}
	if ok || p.size+x.Rows*f.draws > mostProducts {
		return products, false
	}
	products = compute.NewMatrix(x.Rows, f.draws)
	compute.ProductsDrawn(products, x.Sparse, f.w.column, f.workers)
	p.kept[f.w.normals] = products
	p.size += x.Rows * f.draws
	return products, true
}
