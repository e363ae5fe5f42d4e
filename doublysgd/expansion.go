package doublysgd

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// expansion is a function of d inputs and q outputs
//
//	f(x) = Σ_b phi_b(x)·A_b,
//
// a sum over blocks of random features. It consists of what regenerates the
// features (kernel, seed, sampler) and of the coefficients A_b, Columns×q, all
// of which share one running scale, so that the decay of a step costs nothing.
type expansion struct {
	m       features.Map
	options features.Options
	outputs int
	scale   float64
	blocks  []compute.Matrix // A_b/scale
	cache   *cache
	mean    *mean // nil where no averaged iterate is kept
}

// chunkRows is the number of rows whose features are held at a time.
const chunkRows = 1024

// newExpansion returns f = 0. The features of blocks are kept in up to budget
// bytes, and drawn again at each use beyond.
func newExpansion(m features.Map, options features.Options, outputs int, budget int64) *expansion {
	return &expansion{m: m, options: options, outputs: outputs, scale: 1, cache: newCache(m, budget)}
}

// addTo adds f(x) to dst: x is n×d, dst is n×q. A row gives the same bits
// whatever other rows are with it. O(n·T·Columns·(d + q)) for T blocks.
func (e *expansion) addTo(dst, x compute.Matrix) {
	if len(e.blocks) == 0 {
		return
	}
	z := compute.NewMatrix(min(x.Rows, chunkRows), e.m.Columns())
	a := compute.NewMatrix(e.m.Columns(), e.outputs)
	for b := range e.blocks {
		block := e.cache.block(uint64(b))
		for i, v := range e.blocks[b].Data {
			a.Data[i] = e.scale * v
		}
		eachChunk(x.Rows, chunkRows, func(r0, r1 int) {
			part := compute.Rows(z, 0, r1-r0)
			block.TransformTo(part, compute.Rows(x, r0, r1))
			compute.MulNN(compute.Rows(dst, r0, r1), part, a, e.options.Workers)
		})
	}
}

// eachChunk calls do for consecutive ranges of at most size of n.
func eachChunk(n, size int, do func(from, to int)) {
	for from := 0; from < n; from += size {
		do(from, min(from+size, n))
	}
}

// count returns the number of blocks T.
func (e *expansion) count() int { return len(e.blocks) }

// block returns the features of block b.
func (e *expansion) block(b int) features.Block { return e.cache.block(uint64(b)) }

// grow appends blocks with coefficients of zero until there are n.
func (e *expansion) grow(n int) {
	for len(e.blocks) < n {
		e.blocks = append(e.blocks, compute.NewMatrix(e.m.Columns(), e.outputs))
		e.mean.grow(e)
	}
}

// add increases A_b by step, Columns×q; b is at most the number of blocks, and
// that number itself appends one.
func (e *expansion) add(b int, step compute.Matrix) {
	e.grow(b + 1)
	blas64.Axpy(1/e.scale, vector(step.Data), vector(e.blocks[b].Data))
	e.mean.added(e, b, step)
}

// coefficients returns A_b.
func (e *expansion) coefficients(b int) compute.Matrix {
	a := compute.NewMatrix(e.m.Columns(), e.outputs)
	blas64.Axpy(e.scale, vector(e.blocks[b].Data), vector(a.Data))
	return a
}

// smallestScale is where the running scale is folded into the coefficients: they
// keep their digits, and the scale does not run out of range.
const smallestScale = 1e-6

// decay multiplies f by a factor in [0, 1].
func (e *expansion) decay(factor float64) {
	e.scale *= factor
	if e.scale < smallestScale {
		e.fold()
	}
}

// fold moves the running scale into the coefficients.
func (e *expansion) fold() {
	e.mean.fold(e)
	for _, a := range e.blocks {
		blas64.Scal(e.scale, vector(a.Data))
	}
	e.scale = 1
}

// check returns rkhs.ErrDiverged if a coefficient is not a finite number.
func (e *expansion) check() error {
	for b, a := range e.blocks {
		if err := checkCoefficients(b, a.Data); err != nil {
			return err
		}
	}
	return nil
}

func checkCoefficients(b int, a []float64) error {
	for _, v := range a {
		if !finite(v) {
			return fmt.Errorf("doublysgd: a coefficient of block %d is %v: %w", b, v, rkhs.ErrDiverged)
		}
	}
	return nil
}

// clone returns a copy that goes on by itself. The features are shared.
func (e *expansion) clone() *expansion {
	c := *e
	c.blocks = make([]compute.Matrix, len(e.blocks))
	for b, a := range e.blocks {
		c.blocks[b] = cloneMatrix(a)
	}
	c.mean = e.mean.clone()
	return &c
}

// zero returns f = 0 in as many blocks, which shares the features.
func (e *expansion) zero() *expansion {
	c := *e
	c.blocks, c.mean, c.scale = nil, nil, 1
	c.grow(e.count())
	return &c
}

// squaredNorm returns Σ_b ‖A_b‖², of which the square root bounds the norm of f
// in the space of the features.
func (e *expansion) squaredNorm() float64 {
	s := 0.0
	for _, a := range e.blocks {
		n := e.scale * blas64.Nrm2(vector(a.Data))
		s += n * n
	}
	return s
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

func row(m compute.Matrix, i int) []float64 { return m.Data[i*m.Stride : i*m.Stride+m.Cols] }

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

// cloneMatrix copies a matrix without gaps between its rows.
func cloneMatrix(m compute.Matrix) compute.Matrix {
	c := compute.NewMatrix(m.Rows, m.Cols)
	copy(c.Data, m.Data)
	return c
}
