package blocks

import (
	"sync"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
)

// Design is the matrix Z, n×m, of the features of one block at the rows of a fit, in chunks of rows.
// It keeps all chunks of the current block if they fit the memory. Otherwise it computes each chunk
// at every use.
type Design struct {
	Ends   []int // the row after each chunk
	chunks []Chunk
	loaded []bool
	number int // of the block in use, −1 before
	block  features.Block
	// loadAll computes the features at all rows, or is nil. It is not nil if all chunks fit into
	// memory and it is faster than separate chunks.
	loadAll func(b features.Block)
}

// Chunk holds the features of one block at a range of rows.
type Chunk interface {
	// load computes the features at rows [from, to).
	load(b features.Block, from, to int)
	// AddGram adds ZᵀZ to the upper triangle of c, m×m, or ZᵀWZ with weights of the rows.
	AddGram(c compute.Matrix, weights compute.Weights)
	// AddTransposed adds RᵀZ to c, q×m.
	AddTransposed(c, r compute.Matrix)
	// AddTo adds Z·A to f; A is m×q.
	AddTo(f, a compute.Matrix)
}

// DesignRows is the number of rows of a chunk of a Design.
const DesignRows = 2048

// newDesign cuts n rows into chunks, with a cut at row first. It keeps all chunks if they fit the
// budget in bytes.
func newDesign(n, first, columns int, single bool, budget int64, newChunk func(rows int) Chunk) *Design {
	d := &Design{number: -1}
	largest := 0
	for from := 0; from < n; {
		to := min(from+DesignRows, n)
		if from < first {
			to = min(to, first)
		}
		d.Ends = append(d.Ends, to)
		largest = max(largest, to-from)
		from = to
	}
	size := int64(8)
	if single {
		size = 4
	}
	if int64(n)*int64(columns)*size <= budget {
		for c := range d.Ends {
			from, to := d.Span(c)
			d.chunks = append(d.chunks, newChunk(to-from))
		}
	} else {
		d.chunks = []Chunk{newChunk(largest)}
	}
	d.loaded = make([]bool, len(d.Ends))
	return d
}

// Span returns the rows of chunk c.
func (d *Design) Span(c int) (from, to int) {
	if c > 0 {
		from = d.Ends[c-1]
	}
	return from, d.Ends[c]
}

// Use selects a block by its number.
func (d *Design) Use(number int, b features.Block) {
	if number == d.number {
		return
	}
	d.number, d.block = number, b
	clear(d.loaded)
}

// Chunk returns chunk c with the features of the current block.
func (d *Design) Chunk(c int) Chunk {
	from, to := d.Span(c)
	if len(d.chunks) == 1 {
		if len(d.Ends) > 1 || !d.loaded[0] {
			d.chunks[0].load(d.block, from, to)
		}
		d.loaded[c] = true
		return d.chunks[0]
	}
	switch {
	case d.loaded[c]:
	case d.loadAll != nil:
		d.loadAll(d.block)
		for c := range d.loaded {
			d.loaded[c] = true
		}
	default:
		d.chunks[c].load(d.block, from, to)
		d.loaded[c] = true
	}
	return d.chunks[c]
}

// AddTo adds Z·A to f, n×q.
func (d *Design) AddTo(f, a compute.Matrix) {
	for c := range d.Ends {
		from, to := d.Span(c)
		d.Chunk(c).AddTo(compute.Rows(f, from, to), a)
	}
}

// doubleChunk is a chunk in double precision.
type doubleChunk struct {
	pick    func() compute.Points // all rows, n×d
	rows    int                   // of memory that the first load allocates
	columns int
	memory  compute.Matrix
	z       compute.Matrix // the rows in use of memory
	workers int
}

// NewDouble returns the design of rows of x in the given order, with a cut at row first.
func NewDouble(x compute.Points, order []int, first, columns, workers int, budget int64) *Design {
	pick := sync.OnceValue(func() compute.Points { return x.Pick(order) })
	d := newDesign(len(order), first, columns, false, budget, func(n int) Chunk {
		return &doubleChunk{pick: pick, rows: n, columns: columns, workers: workers}
	})
	if len(d.chunks) > 1 && x.Sparse != nil {
		// All chunks share the numbers that a block draws for a column.
		all := compute.NewMatrix(len(order), columns)
		for c, k := range d.chunks {
			from, to := d.Span(c)
			k.(*doubleChunk).z = compute.Rows(all, from, to)
		}
		var rows *features.Rows
		d.loadAll = func(b features.Block) {
			if rows == nil {
				rows = features.NewRows(b, x, order, workers)
			}
			rows.TransformTo(b, all)
		}
	}
	return d
}

func (k *doubleChunk) load(b features.Block, from, to int) {
	if k.memory.Data == nil {
		k.memory = compute.NewMatrix(k.rows, k.columns)
	}
	k.z = compute.Rows(k.memory, 0, to-from)
	features.TransformPoints(b, k.z, k.pick().Between(from, to))
}

func (k *doubleChunk) AddGram(c compute.Matrix, weights compute.Weights) {
	compute.AddWeighedGram(c, k.z, weights, k.workers)
}

func (k *doubleChunk) AddTransposed(c, r compute.Matrix) { compute.MulTN(c, r, k.z, k.workers) }

func (k *doubleChunk) AddTo(f, a compute.Matrix) { compute.MulNN(f, k.z, a, k.workers) }
