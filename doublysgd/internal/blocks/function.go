// Package blocks implements functions of random features,
//
//	f(x) = Σ_b φ_b(x)·A_b,   E[<φ_b(x), φ_b(z)>] = k(x, z).
//
// Features are drawn from a seed and drawn again when needed. Function holds the coefficients,
// Average the mean of its iterates, and Cache drawn blocks. Design holds the features of one block
// at the rows of a fit, and Normal its normal equations.
package blocks

import (
	"fmt"
	"reflect"
	"sync"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	explicit "github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// Function is a function of d inputs and q outputs,
//
//	f(x) = Σ_b φ_b(x)·A_b.
//
// It consists of the recipe of the features (kernel, seed, sampler) and the coefficients A_b,
// Columns×q. All blocks share a running scale, so that decay costs O(1).
type Function struct {
	Map     features.Map
	Options features.Options
	Outputs int
	Scale   float64
	Blocks  []compute.Matrix // A_b/Scale
	Average *Average         // nil where no averaged iterate is kept
	cache   *Cache
}

// ChunkRows is the number of rows with features in memory at a time.
const ChunkRows = 1024

// scoredRows is the number of dense rows of one worker, so that their features stay in its cache.
const scoredRows = 128

// New returns f = 0 with the features of a cache.
func New(cache *Cache, options features.Options, outputs int) *Function {
	return &Function{Map: cache.Map, Options: options, Outputs: outputs, Scale: 1, cache: cache}
}

// Zero returns f = 0 for a kernel, with a cache of the given bytes.
func Zero(k kernel.Kernel, inputs, outputs int, options features.Options, budget int64) (*Function, error) {
	m, err := features.New(k, inputs, options)
	if err != nil {
		return nil, err
	}
	return New(NewCache(m, budget), options, outputs), nil
}

// AddTo adds f(x) to dst: x is n×d, dst is n×q. The bits of a row do not depend on the other rows.
// O(n·T·Columns·(d + q)) for T blocks.
func (f *Function) AddTo(dst compute.Matrix, x compute.Points) {
	if len(f.Blocks) == 0 {
		return
	}
	if x.Sparse != nil && features.DrawsColumns(f.Block(0)) {
		f.addDrawn(dst, x)
		return
	}
	rows, side, within := scoredRows, f.Options.Workers, 1
	if x.Sparse != nil { // a drawn column serves all rows of a chunk
		rows, side, within = ChunkRows, 1, f.Options.Workers
	}
	z := sync.Pool{New: func() any { m := compute.NewMatrix(min(rows, x.Rows), f.Map.Columns()); return &m }}
	a := compute.NewMatrix(f.Map.Columns(), f.Outputs)
	for b := range f.Blocks {
		block := f.cache.Block(uint64(b))
		f.coefficientsTo(a, b)
		compute.Parallel((x.Rows+rows-1)/rows, side, func(i int) {
			from, to := i*rows, min((i+1)*rows, x.Rows)
			memory := z.Get().(*compute.Matrix)
			part := compute.Rows(*memory, 0, to-from)
			features.TransformPoints(block, part, x.Between(from, to))
			compute.MulNN(compute.Rows(dst, from, to), part, a, within)
			z.Put(memory)
		})
	}
}

// addDrawn is AddTo for sparse rows with features drawn for single columns. It evaluates all blocks
// on some rows at a time.
func (f *Function) addDrawn(dst compute.Matrix, x compute.Points) {
	z, a := compute.NewMatrix(min(ChunkRows, x.Rows), f.Map.Columns()), compute.NewMatrix(f.Map.Columns(), f.Outputs)
	for from, to := range compute.Chunks(x.Rows, ChunkRows) {
		rows := features.NewRows(f.Block(0), x.Between(from, to), compute.Indices(to-from), f.Options.Workers)
		part := compute.Rows(z, 0, to-from)
		for b := range f.Blocks {
			rows.TransformTo(f.Block(b), part)
			f.coefficientsTo(a, b)
			compute.MulNN(compute.Rows(dst, from, to), part, a, f.Options.Workers)
		}
	}
}

// coefficientsTo sets a to A_b.
func (f *Function) coefficientsTo(a compute.Matrix, b int) {
	for i, v := range f.Blocks[b].Data {
		a.Data[i] = f.Scale * v
	}
}

// row is the features of a single row.
var row = sync.Pool{New: func() any { return new([]float64) }}

// AddRow adds f(x) of a single row x to dst. O(T·Columns·(d + q)).
func (f *Function) AddRow(dst, x []float64) {
	memory := row.Get().(*[]float64)
	defer row.Put(memory)
	n := f.Map.Columns()
	if cap(*memory) < n {
		*memory = make([]float64, n)
	}
	z := (*memory)[:n]
	for b, a := range f.Blocks {
		features.TransformRow(f.cache.Block(uint64(b)), z, x)
		if f.Outputs == 1 {
			dst[0] += float64(f.Scale * compute.RowDot(z, a.Data))
			continue
		}
		for i, v := range z {
			compute.AddRowTo(dst, f.Scale*v, compute.Row(a, i))
		}
	}
}

// AcceptsRow returns an error if x is not finite or the kernel is undefined on it.
func (f *Function) AcceptsRow(x []float64) error { return f.cache.Check.Row(x) }

// Warm draws the cached blocks and reports whether it finished before it was stopped.
func (f *Function) Warm(stopped func() bool) bool {
	for b := range f.Blocks {
		if stopped() {
			return false
		}
		f.cache.Block(uint64(b))
	}
	return true
}

// Count returns the number of blocks T.
func (f *Function) Count() int { return len(f.Blocks) }

// Block returns the features of block b.
func (f *Function) Block(b int) features.Block { return f.cache.Block(uint64(b)) }

// Grow appends zero blocks until there are n.
func (f *Function) Grow(n int) {
	for len(f.Blocks) < n {
		f.Blocks = append(f.Blocks, compute.NewMatrix(f.Map.Columns(), f.Outputs))
		f.Average.grow(f)
	}
}

// Add increases A_b by step, Columns×q, and appends blocks as needed.
func (f *Function) Add(b int, step compute.Matrix) {
	f.Grow(b + 1)
	blas64.Axpy(1/f.Scale, compute.Vector(step.Data), compute.Vector(f.Blocks[b].Data))
	f.Average.added(f, b, step)
}

// Coefficients returns A_b.
func (f *Function) Coefficients(b int) compute.Matrix {
	a := compute.NewMatrix(f.Map.Columns(), f.Outputs)
	blas64.Axpy(f.Scale, compute.Vector(f.Blocks[b].Data), compute.Vector(a.Data))
	return a
}

// smallestScale is the running scale at which it is folded into the coefficients, to preserve their
// digits.
const smallestScale = 1e-6

// Decay multiplies f by a factor in [0, 1].
func (f *Function) Decay(factor float64) {
	f.Scale *= factor
	if f.Scale < smallestScale {
		f.fold()
	}
}

// fold moves the running scale into the coefficients.
func (f *Function) fold() {
	f.Average.fold(f)
	for _, a := range f.Blocks {
		blas64.Scal(f.Scale, compute.Vector(a.Data))
	}
	f.Scale = 1
}

// Check returns rkhs.ErrDiverged if a coefficient is not finite.
func (f *Function) Check() error {
	for b, a := range f.Blocks {
		if err := CheckCoefficients(b, a.Data); err != nil {
			return err
		}
	}
	return nil
}

// CheckCoefficients returns rkhs.ErrDiverged if a coefficient of block b is not finite.
func CheckCoefficients(b int, a []float64) error {
	for _, v := range a {
		if !compute.Finite(v) {
			return fmt.Errorf("a coefficient of block %d is %v: %w", b, v, rkhs.ErrDiverged)
		}
	}
	return nil
}

// Clone returns an independent copy with the same features.
func (f *Function) Clone() *Function {
	c := *f
	c.Blocks = make([]compute.Matrix, len(f.Blocks))
	for b, a := range f.Blocks {
		c.Blocks[b] = compute.Clone(a)
	}
	c.Average = f.Average.clone()
	return &c
}

// Cleared returns f = 0 with the same number of blocks and the same features.
func (f *Function) Cleared() *Function {
	c := *f
	c.Blocks, c.Average, c.Scale = nil, nil, 1
	c.Grow(f.Count())
	return &c
}

// SquaredNorm returns Σ_b ‖A_b‖².
func (f *Function) SquaredNorm() float64 {
	s := 0.0
	for _, a := range f.Blocks {
		n := f.Scale * blas64.Nrm2(compute.Vector(a.Data))
		s += n * n
	}
	return s
}

// Averaged returns the averaged iterate. f must have an average of at least one step.
func (f *Function) Averaged() *Function {
	c := *f
	c.Average, c.Scale = nil, 1
	c.Blocks = make([]compute.Matrix, len(f.Blocks))
	for b, a := range f.Blocks {
		c.Blocks[b] = compute.NewMatrix(a.Rows, a.Cols)
		blas64.Axpy(f.Average.sum/f.Average.Weight, compute.Vector(a.Data), compute.Vector(c.Blocks[b].Data))
		blas64.Axpy(-1/f.Average.Weight, compute.Vector(f.Average.Blocks[b].Data), compute.Vector(c.Blocks[b].Data))
	}
	return &c
}

// Cache keeps drawn blocks within a bounded number of bytes. Visits cycle through the blocks, so it
// keeps the first blocks that fit. It is safe for concurrent use.
type Cache struct {
	Map    features.Map
	Check  gram.RowCheck // of the kernel
	budget int64

	mu   sync.Mutex
	kept map[uint64]features.Block
	used int64
}

// DefaultCache is the default budget of a cache in bytes.
const DefaultCache = 256 << 20

// NewCache returns a cache with a budget in bytes.
func NewCache(m features.Map, budget int64) *Cache {
	return &Cache{Map: m, Check: gram.NewRowCheck(m.Kernel()), budget: budget, kept: map[uint64]features.Block{}}
}

// Block returns block b, drawn again unless it is cached. The bits are the same.
func (c *Cache) Block(b uint64) features.Block {
	c.mu.Lock()
	kept, ok := c.kept[b]
	c.mu.Unlock()
	if ok {
		return kept
	}
	block := c.Map.Block(b)
	c.mu.Lock()
	defer c.mu.Unlock()
	if size := int64(block.Bytes()); c.used+size <= c.budget {
		if _, ok := c.kept[b]; !ok {
			c.kept[b] = block
			c.used += size
		}
	}
	return block
}

// EngineOptions converts o, without its Leverage.
func EngineOptions(o explicit.Options) features.Options {
	return features.Options{Seed: o.Seed, Columns: o.Columns, Sampler: features.Sampler(o.Sampler), Workers: o.Workers}
}

// Expansion returns a copy of f as a function of explicit features, with output o multiplied by
// unit_o. A nil unit means ones.
func (f *Function) Expansion(unit []float64) explicit.Expansion {
	o := explicit.Options{Seed: f.Options.Seed, Columns: f.Options.Columns, Sampler: explicit.Sampler(f.Options.Sampler), Workers: f.Options.Workers}
	e := explicit.Expansion{Options: o}
	e.Map, _ = explicit.New(f.Map.Kernel(), f.Map.Dim(), o) // as it was made
	for b := range f.Blocks {
		a := f.Coefficients(b)
		for i := range a.Data {
			if unit != nil {
				a.Data[i] *= unit[i%a.Cols]
			}
		}
		e.Coefficients = append(e.Coefficients, mat.NewDense(a.Rows, a.Cols, a.Data))
	}
	return e
}

// CheckAlike returns rkhs.ErrShape for different dimensions of f and g, and rkhs.ErrOption for
// different features.
func (f *Function) CheckAlike(g *Function) error {
	switch {
	case f.Map.Dim() != g.Map.Dim() || f.Outputs != g.Outputs || f.Count() != g.Count() || f.Map.Columns() != g.Map.Columns():
		return fmt.Errorf("models of %d inputs, %d outputs and %d×%d features and of %d, %d and %d×%d cannot merge: %w",
			f.Map.Dim(), f.Outputs, f.Count(), f.Map.Columns(), g.Map.Dim(), g.Outputs, g.Count(), g.Map.Columns(), rkhs.ErrShape)
	case !kernel.Equal(f.Map.Kernel(), g.Map.Kernel()):
		return fmt.Errorf("kernels %v and %v cannot merge: %w", f.Map.Kernel(), g.Map.Kernel(), rkhs.ErrOption)
	case !reflect.DeepEqual(drawn(f.Options), drawn(g.Options)):
		return fmt.Errorf("features of %+v and of %+v cannot merge: %w", f.Options, g.Options, rkhs.ErrOption)
	}
	return nil
}

// drawn returns the options that determine the features of a block, without their number.
func drawn(o features.Options) features.Options {
	o.Workers, o.Columns = 0, 0
	return o
}

// AddShare adds g, in the same features, multiplied by a factor for each output.
func (f *Function) AddShare(g *Function, factors []float64) {
	for b := range g.Count() {
		a := g.Coefficients(b)
		for o, v := range factors {
			blas64.Scal(v, blas64.Vector{N: a.Rows, Inc: a.Stride, Data: a.Data[o:]})
		}
		f.Add(b, a)
	}
}
