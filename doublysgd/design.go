package doublysgd

import (
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// design is the matrix Z, n×m, of the features of one block at the rows of a fit.
// It is cut into chunks of rows, all of which are kept while the block is in use
// if they fit the memory, and computed again at each use otherwise.
type design struct {
	ends   []int // where each chunk ends
	chunks []chunk
	loaded []bool
	number int // of the block in use, −1 before
	block  features.Block
}

// chunk holds the features of one block at a range of rows.
type chunk interface {
	// load computes the features at rows [from, to).
	load(b features.Block, from, to int)
	// addGram adds ZᵀZ to the upper triangle of c, m×m.
	addGram(c compute.Matrix)
	// addTransposed adds RᵀZ to c, q×m.
	addTransposed(c, r compute.Matrix)
	// addTo adds Z·A to f; A is m×q.
	addTo(f, a compute.Matrix)
}

// designRows is the number of rows of a chunk.
const designRows = 2048

// newDesign cuts n rows into chunks, with a cut at row first. It keeps all chunks
// if their total size, of so many bytes an element, is within budget.
func newDesign(n, first, columns int, single bool, budget int64, newChunk func(rows int) chunk) *design {
	d := &design{number: -1}
	largest := 0
	for from := 0; from < n; {
		to := min(from+designRows, n)
		if from < first {
			to = min(to, first)
		}
		d.ends = append(d.ends, to)
		largest = max(largest, to-from)
		from = to
	}
	size := int64(8)
	if single {
		size = 4
	}
	if int64(n)*int64(columns)*size <= budget {
		for c := range d.ends {
			from, to := d.span(c)
			d.chunks = append(d.chunks, newChunk(to-from))
		}
	} else {
		d.chunks = []chunk{newChunk(largest)}
	}
	d.loaded = make([]bool, len(d.ends))
	return d
}

// span returns the rows of chunk c.
func (d *design) span(c int) (from, to int) {
	if c > 0 {
		from = d.ends[c-1]
	}
	return from, d.ends[c]
}

// use turns to the features of the block of a number.
func (d *design) use(number int, b features.Block) {
	if number == d.number {
		return
	}
	d.number, d.block = number, b
	clear(d.loaded)
}

// chunk returns chunk c with its features.
func (d *design) chunk(c int) chunk {
	from, to := d.span(c)
	if len(d.chunks) == 1 {
		if len(d.ends) > 1 || !d.loaded[0] {
			d.chunks[0].load(d.block, from, to)
		}
		d.loaded[c] = true
		return d.chunks[0]
	}
	if !d.loaded[c] {
		d.chunks[c].load(d.block, from, to)
		d.loaded[c] = true
	}
	return d.chunks[c]
}

// addTo adds Z·A to f, n×q.
func (d *design) addTo(f, a compute.Matrix) {
	for c := range d.ends {
		from, to := d.span(c)
		d.chunk(c).addTo(compute.Rows(f, from, to), a)
	}
}
