package features

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// A product is a product of factors with known features.
type product struct {
	of       scaledProduct
	gain     float64
	factors  []factor
	families []family // all kernels of x − z share one, the last
}

// newProduct finds the features of each factor for points of d columns.
func newProduct(of scaledProduct, d int, how Sampler) (product, error) {
	p := product{of: of, gain: of.gain}
	var densities convolution
	for _, f := range of.factors {
		f, err := newFactor(f, d)
		if err != nil {
			return p, err
		}
		p.gain *= f.gain
		p.factors = append(p.factors, f)
		if f.shiftInvariant() {
			densities = append(densities, f.density)
		} else if err := p.add(f, how); err != nil {
			return p, err
		}
	}
	if err := p.addFourier(densities, d, how); err != nil {
		return p, err
	}
	if !compute.Finite(p.gain) {
		return p, fmt.Errorf("features: k(x, x) of %v overflows in %d columns: %w", of.kernel(), d, rkhs.ErrOption)
	}
	return p, nil
}

// add adds the family of a factor.
func (p *product) add(f factor, how Sampler) error {
	alone := len(p.of.factors) == 1
	if _, ok := f.family.(Blocks); ok {
		if !alone {
			return fmt.Errorf("features: %v has no random features in a product: %w", f.of, rkhs.ErrOption)
		}
		return nil
	}
	r, err := f.embeddedRandom(how)
	if err != nil {
		return err
	}
	p.families = append(p.families, r)
	if _, ok := f.family.(kernel.Polynomial); ok && alone {
		return nil // TensorSketch needs no coefficients
	}
	return checkCoefficients(r, f.of)
}

func checkCoefficients(r family, of kernel.Kernel) error {
	if e, ok := r.(embedded); ok {
		r = e.family
	}
	if m, ok := r.(monomials); ok && !compute.Finite(total(m.coefficients)) {
		return fmt.Errorf("features: the coefficients of %v overflow: %w", of, rkhs.ErrOption)
	}
	return nil
}

// addFourier adds the Fourier features of a product of kernels of x − z. Their frequencies are summed.
func (p *product) addFourier(densities convolution, d int, how Sampler) error {
	if len(densities) == 0 {
		return nil
	}
	var of distribution = densities
	if len(densities) == 1 {
		of = densities[0]
	}
	how, err := how.resolve(p.of.kernel(), of, d)
	p.families = append(p.families, fourier{d, of, how})
	return err
}

// exactColumns returns the number of columns that give p exactly, or 0.
func (p product) exactColumns() int {
	if len(p.factors) == 1 {
		return p.factors[0].exactColumns()
	}
	return 0
}

// basis returns a basis of at most the given number of columns. It prefers exact features, the kernel's
// own blocks and TensorSketch for a single factor.
func (p product) basis(columns int) basis {
	if len(p.factors) > 1 {
		return newProductBasis(p.families, columns, p.gain)
	}
	f := p.factors[0]
	if n := f.exactColumns(); n > 0 && n <= columns {
		return exactBasis(f.embedding, f.d, n, p.gain)
	}
	switch of := f.family.(type) {
	case Blocks:
		return blocksBasis(of, f.width(), columns).behind(f, p.gain)
	case kernel.Polynomial:
		return newTensorSketch(f.width(), columns, of).behind(f, p.gain)
	}
	return newProductBasis(p.families, columns, p.gain)
}

// productBasis is the basis of a product of kernels. Each draw is the product of independent draws of
// all families. Pairs multiply as complex numbers cos + i·sin.
type productBasis struct {
	families []family // the first is a pair if any is
	draws    int
	gain     float64
}

func newProductBasis(families []family, columns int, gain float64) basis {
	if i := slices.IndexFunc(families, family.paired); i > 0 {
		families = slices.Clone(families)
		families[0], families[i] = families[i], families[0]
	}
	p := productBasis{families, drawsIn(columns, families[0].paired()), gain}
	return basis{columns: p.columns(), draw: p.draw, product: &p}
}

func (p productBasis) columns() int { return columnsFor(p.draws, p.families[0].paired()) }

func (p productBasis) draw(s *source, workers int) Block {
	b := &productBlock{draws: p.draws, columns: p.columns(), workers: workers}
	b.first = p.families[0].draw(p.draws, p.gain, s, workers)
	for _, f := range p.families[1:] {
		// A gain of m cancels the factor 1/√m.
		b.others = append(b.others, f.draw(p.draws, float64(p.draws), s, workers))
		b.widths = append(b.widths, columnsFor(p.draws, f.paired()))
	}
	if len(b.others) == 0 {
		return b.first
	}
	return b
}

type productBlock struct {
	first          Block
	others         []Block
	widths         []int
	draws, columns int
	workers        int
}

// productRows bounds the rows, and thus the memory, for the features of a factor.
const productRows = 1024

func (b *productBlock) TransformTo(dst, x blas64.General) {
	b.transformPoints(dst, compute.DensePoints(x))
}

func (b *productBlock) transformPoints(dst compute.Matrix, x compute.Points) {
	checkSizes(dst, x.Matrix, x.Cols, b.columns)
	eachPart(dst, x, productRows, b.transform)
}

func (b *productBlock) transform(dst compute.Matrix, x compute.Points) {
	TransformPoints(b.first, dst, x)
	for i, f := range b.others {
		y, memory := allocateMatrix(x.Rows, b.widths[i])
		TransformPoints(f, y, x)
		eachRows(x.Rows, b.workers, func(from, to int) {
			for i := from; i < to; i++ {
				b.multiply(compute.Row(dst, i), compute.Row(y, i))
			}
		})
		release(memory)
	}
}

func (b *productBlock) multiply(dst, y []float64) {
	m := b.draws
	switch {
	case len(y) == len(dst) && len(dst) == 2*m:
		cos, sin, yCos, ySin := dst[:m], dst[m:], y[:m], y[m:]
		for j, c := range cos {
			s := sin[j]
			cos[j] = float64(c*yCos[j]) - float64(s*ySin[j])
			sin[j] = float64(s*yCos[j]) + float64(c*ySin[j])
		}
	case len(dst) == 2*m:
		floats.Mul(dst[:m], y)
		floats.Mul(dst[m:], y)
	default:
		floats.Mul(dst, y)
	}
}

func (b *productBlock) Bytes() int { return b.first.Bytes() + bytesOf(b.others) }

// Products computes features of sparse rows with many columns, and caches their inner products with the
// directions of blocks. Isotropic kernels of x − z have the same directions in blocks of the same number
// and seed, also if their columns are divided by the same scales. The zero value has no cache.
type Products struct {
	Budget int64 // bytes of the cache

	x      compute.Points
	rows   *Rows
	scales []float64 // of the columns, or nil
	kept   map[compute.Address]compute.Matrix
	size   int64 // bytes of kept
}

// TransformPoints gives the same bits as the function TransformPoints. Other rows or scales of columns
// clear the cache.
func (p *Products) TransformPoints(b Block, dst compute.Matrix, x compute.Points) {
	of, ok := b.(*wideFourierBlock)
	if !ok || x.Sparse == nil {
		TransformPoints(b, dst, x)
		return
	}
	checkSizes(dst, x.Matrix, of.d, 2*of.draws)
	p.prepare(of, x)
	if products, ok := p.of(of); ok {
		compute.FourierPairsOf(dst, products, of.w.factors, of.scale(), of.workers)
		return
	}
	p.rows.TransformTo(b, dst)
}

// prepare clears the cache unless it is for rows x and the scales of f.
func (p *Products) prepare(f *wideFourierBlock, x compute.Points) {
	same := p.x.Sparse == x.Sparse && p.rows != nil || p.x.Equal(x)
	if !same || p.rows.drawn.Draws() != f.draws {
		*p = Products{Budget: p.Budget, x: x, rows: NewRows(f, x, compute.Indices(x.Rows), f.workers)}
	}
	if !slices.Equal(p.scales, f.w.scales) || p.kept == nil {
		p.scales, p.kept, p.size = f.w.scales, map[compute.Address]compute.Matrix{}, 0
	}
}

// of returns the products of x with the directions of f if they fit into the cache.
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
