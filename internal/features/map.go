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

// checkSizes panics unless x has dim columns and dst the given number, and both have
// as many rows.
func checkSizes(dst, x blas64.General, dim, columns int) {
	if x.Cols != dim {
		panic(fmt.Sprintf("features: x has %d columns, want %d", x.Cols, dim))
	}
	if dst.Rows != x.Rows || dst.Cols != columns {
		panic(fmt.Sprintf("features: dst is %d×%d, want %d×%d", dst.Rows, dst.Cols, x.Rows, columns))
	}
}

// New returns the random features of k for points of d columns. Errors wrap
// rkhs.ErrOption, for options or parameters of k out of range and for a kernel
// that has no random features, or rkhs.ErrShape if k is not a kernel of d columns.
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

// basisOf writes k as a sum of products, each of which has features of its own.
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

// Exact reports whether the features of m give its kernel without error, as they
// do for Linear, Hellinger and LowRank where a block has columns enough, and for
// sums of these. All blocks are then equal, and one is enough.
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

// TransformRow sets dst to φ_b(x) of a single row x, up to rounding. It allocates nothing for
// Fourier features, those of inner products and exact ones, of mapped rows too.
func TransformRow(b Block, dst, x []float64) {
	if of, ok := b.(rowBlock); ok {
		of.transformRow(dst, x)
		return
	}
	b.TransformTo(compute.RowOf(dst), compute.RowOf(x))
}

// defaultColumns is the number of features of a block if Options do not say.
const defaultColumns = 2048

// maxColumns bounds what a block allocates; more features are more blocks.
const maxColumns = 1 << 24

// Options configures New. The zero value of each field means its default.
type Options struct {
	// Seed selects the random streams.
	Seed uint64
	// Columns is the number of features of a block, an even number up to 2²⁴;
	// kernels with finitely many features, and sums with such terms, may have fewer.
	// Default: 2048.
	Columns int
	// Sampler says how the parameters of a block are drawn. It must fit the kernel,
	// and every term of a sum whose features are random. Default: Auto.
	Sampler Sampler
	// Leverage, if not nil, makes the features depend on data. For kernels that are
	// no sum, with features of frequencies and no Fastfood: all of x − z, the skewed
	// kernels, the semigroup kernels and ArcCosine.
	Leverage *Leverage
	// Workers bounds the goroutines of a call. Default: GOMAXPROCS. It does not
	// change the result by a bit.
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
