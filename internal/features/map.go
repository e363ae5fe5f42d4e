// Package features draws random features of kernels in blocks and computes them for dense and sparse
// rows, in double and single precision. Package features of the module is its public face and describes
// the families, samplers and guarantees.
package features

import (
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// Map is an infinite sequence of blocks of random features of a kernel on R^d. A block depends only on
// the seed and its number. It can be discarded and drawn again with the same bits on any machine. A Map
// is immutable and safe for concurrent use.
type Map interface {
	// Kernel returns the approximated kernel.
	Kernel() kernel.Kernel
	// Dim returns d, the number of columns of x.
	Dim() int
	// Columns returns the number of features of one block.
	Columns() int
	// Block draws the parameters of block b, numbered from 0.
	Block(b uint64) Block
}

// Block is one block of features φ_b, an unbiased estimate of the kernel: E[<φ_b(x), φ_b(z)>] = k(x, z).
// A Block is immutable and safe for concurrent use.
type Block interface {
	// TransformTo sets row i of dst to φ_b(x_i): x is n×d, dst n×Columns. It panics if the sizes do
	// not match. Callers pass rows that kernel.Check accepts. A row of the result depends only on
	// its row of x.
	TransformTo(dst, x blas64.General)
	// Bytes returns the memory of the drawn parameters.
	Bytes() int
}

// checkSizes panics unless x is n×dim and dst n×columns.
func checkSizes(dst, x blas64.General, dim, columns int) {
	if x.Cols != dim {
		panic(fmt.Sprintf("features: x has %d columns, want %d", x.Cols, dim))
	}
	if dst.Rows != x.Rows || dst.Cols != columns {
		panic(fmt.Sprintf("features: dst is %d×%d, want %d×%d", dst.Rows, dst.Cols, x.Rows, columns))
	}
}

// New returns the random features of k for points of d columns. Errors wrap rkhs.ErrOption, for options or
// kernel parameters out of range and for a kernel without random features, or rkhs.ErrShape, if k is not
// a kernel of d columns.
func New(k kernel.Kernel, d int, opts Options) (Map, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	if d < 1 {
		return nil, fmt.Errorf("features: %d columns of x: %w", d, rkhs.ErrShape)
	}
	if err := gram.Check(k, compute.DensePoints(compute.NewMatrix(0, d))); err != nil {
		return nil, fmt.Errorf("features: %w", err)
	}
	k = kernel.Clone(k)
	of, err := basisOf(k, d, opts)
	if err != nil {
		return nil, err
	}
	if opts.Leverage != nil {
		if of, err = newLeveraged(k, of, d, opts); err != nil {
			return nil, err
		}
	}
	return &sequence{kernel: k, dim: d, seed: opts.Seed, workers: opts.Workers, of: of}, nil
}

// basisOf writes k as a sum of products and returns their basis.
func basisOf(k kernel.Kernel, d int, opts Options) (of basis, err error) {
	limit := opts.Columns / 2
	expanded, err := productsOf(k, d, limit)
	if err != nil {
		return of, fmt.Errorf("features: %w", err)
	}
	if len(expanded) > limit {
		return of, fmt.Errorf("features: Columns = %d are too few for %v, a sum of more than %d products: %w", opts.Columns, k, limit, rkhs.ErrOption)
	}
	products := make([]product, len(expanded))
	for i, p := range expanded {
		if products[i], err = newProduct(p, d, opts.Sampler); err != nil {
			return of, err
		}
	}
	if len(products) == 1 {
		return products[0].basis(opts.Columns), nil
	}
	return newSumBasis(products, opts.Columns), nil
}

// Exact reports whether the features of m give its kernel without error. They do for Linear, Hellinger and
// LowRank, and sums of these, if a block has enough columns. All blocks are then equal.
func Exact(m Map) bool {
	q, ok := m.(*sequence)
	return ok && q.of.exact
}

// sequence is the Map of a basis.
type sequence struct {
	kernel  kernel.Kernel
	dim     int
	seed    uint64
	workers int
	of      basis
}

func (q *sequence) Kernel() kernel.Kernel { return q.kernel }
func (q *sequence) Dim() int              { return q.dim }
func (q *sequence) Columns() int          { return q.of.columns }
func (q *sequence) Block(b uint64) Block  { return q.of.draw(newSource(q.seed, b), q.workers) }

// rowBlock is a Block that transforms a single row faster than a block of one.
type rowBlock interface {
	transformRow(dst, x []float64)
}

// TransformRow sets dst to φ_b(x) for a single row x, up to rounding. It does not allocate for Fourier
// features, projections and exact features.
func TransformRow(b Block, dst, x []float64) {
	if of, ok := b.(rowBlock); ok {
		of.transformRow(dst, x)
		return
	}
	b.TransformTo(compute.RowOf(dst), compute.RowOf(x))
}

// defaultColumns is the default number of features of a block.
const defaultColumns = 2048

// maxColumns bounds the memory of a block.
const maxColumns = 1 << 24

// Options configures New. The zero value of each field means its default.
type Options struct {
	// Seed selects the random streams.
	Seed uint64
	// Columns is the number of features of a block, an even number up to 2²⁴. Exact kernels, and
	// sums that contain them, may have fewer. Default: 2048.
	Columns int
	// Sampler draws the parameters of a block. It must fit every random term of the kernel.
	// Default: Auto.
	Sampler Sampler
	// Leverage, if not nil, makes the features depend on data. It requires a single product with
	// features of frequencies, without Fastfood: kernels of x − z, skewed kernels, semigroup
	// kernels and ArcCosine. Default: nil.
	Leverage *Leverage
	// Workers bounds the goroutines of a call. The result does not depend on it. Default: GOMAXPROCS.
	Workers int
}

func (o Options) withDefaults() (Options, error) {
	if o.Columns == 0 {
		o.Columns = defaultColumns
	}
	if o.Columns < 2 || o.Columns > maxColumns || o.Columns%2 != 0 {
		return o, fmt.Errorf("features: Columns = %d, want an even number from 2 to %d: %w", o.Columns, maxColumns, rkhs.ErrOption)
	}
	if o.Workers < 0 {
		return o, fmt.Errorf("features: Workers = %d is negative: %w", o.Workers, rkhs.ErrOption)
	}
	return o, o.Sampler.check()
}
