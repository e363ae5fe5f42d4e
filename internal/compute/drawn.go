package compute

import (
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Drawn computes random Fourier features of n sparse rows x_i,
//
//	z_ij = scale·cos<x_i, w_j>,  z_i,m+j = scale·sin<x_i, w_j>,
//
// for m frequencies w_j that are generated column by column. It can evaluate
// several Drawings in turn. Its memory holds the inner products, the listed elements
// of X and the generated columns of the current step.
type Drawn struct {
	x       *Sparse // columns are renumbered within each part
	parts   []drawnPart
	next    []int32   // for each row, the number of elements already summed
	weights []float64 // factor of each column of the current part
	draws   int
	// memory holds panels of gathered elements: first the sums, several panels for each
	// row, then one panel for each of drawnColumns columns of the current step, then
	// one for each column of the next step.
	memory []float64
	panels int // per row
}

// drawnPart is a range of rows. Its sums stay in the cache while columns are drawn.
type drawnPart struct {
	from, to int
	columns  []int32 // column of each number, ascending
}

// Drawing generates the frequencies. Column sets dst to elements first, first+1, …
// of column j. It divides each column by its element of Scales and multiplies each
// frequency by its element of Factors, unless these are nil.
type Drawing struct {
	Column          func(dst []float64, j int32, first int)
	Scales, Factors []float64
}

// drawnColumns is the number of columns drawn per step. They must fit in the cache,
// because each is read many times.
const drawnColumns = 1024

// NewDrawn returns a Drawn for the rows of sparse x with the given indices, in that
// order, and m = draws frequencies.
func NewDrawn(x Points, order []int, draws int) *Drawn {
	s := x.Pick(order).Sparse
	d := &Drawn{x: s, next: make([]int32, s.Rows), draws: draws, panels: ceil(draws, use64.gathered)}
	most := 0
	for from, to := range Chunks(s.Rows, drawnRows) {
		columns := numbered(SparsePoints(s).Between(from, to).Sparse)
		d.parts = append(d.parts, drawnPart{from, to, columns})
		most = max(most, len(columns))
	}
	d.weights = make([]float64, most)
	d.memory = make([]float64, (s.Rows*d.panels+2*min(most, drawnColumns))*use64.gathered)
	return d
}

// Draws returns the number m of frequencies.
func (d *Drawn) Draws() int { return d.draws }

// singles reinterprets the memory of v as twice as many float32 values.
func singles(v []float64) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(v))), 2*len(v))
}

// numbered replaces the columns in s by consecutive numbers in ascending order. It
// returns the column of each number.
func numbered(s *Sparse) []int32 {
	at := touched(s)
	defer at.free()
	columns := slices.Clone(at.columns)
	slices.Sort(columns)
	for number, j := range columns {
		if at.table != nil {
			at.table[j] = int32(number + 1)
		}
	}
	listed := s.Columns[s.Offsets[0]:s.Offsets[s.Rows]]
	for k, j := range listed {
		listed[k] = int32(at.of(j))
	}
	return columns
}

// ProductsTo sets dst, n×m, to X·Wᵀ with Scales applied and Factors ignored.
func (d *Drawn) ProductsTo(dst Matrix, of Drawing, workers int) {
	d.sum(of, workers)
	d.eachRows(workers, func(i int, _ buffer[float64]) { copy(Row(dst, i), d.sums(i)) })
}

// PairsTo sets dst, n×2m, to the features. The bits equal FourierPairsDrawn applied
// to X with each column multiplied by 1/Scales.
func (d *Drawn) PairsTo(dst Matrix, of Drawing, scale float64, workers int) {
	d.sum(of, workers)
	d.eachRows(workers, func(i int, waves buffer[float64]) {
		cos, sin := d.waves(i, of, scale, waves)
		row := Row(dst, i)
		copy(row, cos)
		copy(row[d.draws:], sin)
	})
}

// Pairs32 returns the features, n×2m, rounded to single precision. The result shares
// the memory of d and is valid until the next method call.
func (d *Drawn) Pairs32(of Drawing, scale float64, workers int) Matrix32 {
	z := Matrix32{Rows: d.x.Rows, Cols: 2 * d.draws, Stride: 2 * d.panels * use64.gathered}
	z.Data = singles(d.memory)[:z.Rows*z.Stride]
	d.sum(of, workers)
	d.eachRows(workers, func(i int, waves buffer[float64]) {
		cos, sin := d.waves(i, of, scale, waves)
		row := z.Data[i*z.Stride:][:z.Cols]
		for r, v := range cos {
			row[r] = float32(v)
		}
		for r, v := range sin {
			row[d.draws+r] = float32(v)
		}
	})
	return z
}

// sums returns the inner products of row i, with padding.
func (d *Drawn) sums(i int) []float64 {
	padded := d.panels * use64.gathered
	return d.memory[i*padded:][:padded]
}

// waves returns the features of row i.
func (d *Drawn) waves(i int, of Drawing, scale float64, to buffer[float64]) (cos, sin []float64) {
	sums := d.sums(i)
	for r, v := range of.Factors {
		sums[r] *= v
	}
	cos, sin = to.data[:len(sums)], to.data[len(sums):]
	use64.paired(cos, sin, sums, scale)
	return cos[:d.draws], sin[:d.draws]
}

// eachRows calls do for each row with scratch memory for its features.
func (d *Drawn) eachRows(workers int, do func(i int, waves buffer[float64])) {
	n := d.x.Rows
	Parallel(ceil(n, sumRows), workers, func(t int) {
		waves := use64.buffer(2 * d.panels * use64.gathered)
		defer waves.free()
		for i := t * sumRows; i < min((t+1)*sumRows, n); i++ {
			do(i, waves)
		}
	})
}

// sum computes the inner products of all parts.
func (d *Drawn) sum(of Drawing, workers int) {
	for _, p := range d.parts {
		d.sumPart(p, of, workers)
	}
}

// sumPart adds the columns of a part in ascending order.
func (d *Drawn) sumPart(p drawnPart, of Drawing, workers int) {
	for c, j := range p.columns {
		d.weights[c] = 1
		if of.Scales != nil {
			d.weights[c] = 1 / of.Scales[j]
		}
	}
	steps := d.panels * p.steps()
	tiles, some := ceil(p.to-p.from, sumRows), ceil(min(len(p.columns), drawnColumns), drawnTogether)
	// Step s adds the columns of step s−1 and draws its own columns concurrently.
	inSteps(steps+1, some+tiles, workers, func(s, t int) {
		switch {
		case t < some && s < steps:
			d.draw(p, s, t, of)
		case t >= some && s > 0:
			first := p.from + (t-some)*sumRows
			d.add(p, s-1, first, min(first+sumRows, p.to))
		}
	})
}

// inSteps runs n tasks for each step. The tasks of a step run in parallel; each step
// waits for the previous one.
func inSteps(steps, n, workers int, do func(step, task int)) {
	workers = min(Workers(workers), n)
	var next atomic.Int64 // over all steps
	var mu sync.Mutex
	over, left := sync.NewCond(&mu), make([]int, steps) // unfinished tasks of each step
	for s := range left {
		left[s] = n
	}
	Parallel(workers, workers, func(int) {
		for i := int(next.Add(1)) - 1; i < steps*n; i = int(next.Add(1)) - 1 {
			step := i / n
			mu.Lock()
			for step > 0 && left[step-1] > 0 {
				over.Wait()
			}
			mu.Unlock()
			do(step, i%n)
			mu.Lock()
			if left[step]--; left[step] == 0 {
				over.Broadcast()
			}
			mu.Unlock()
		}
	})
}

// steps returns the number of steps for a panel.
func (p drawnPart) steps() int { return max(1, ceil(len(p.columns), drawnColumns)) }

// step returns the panel and the column range of a step. Offset behind, in panels of
// memory, locates the generated columns.
func (d *Drawn) step(p drawnPart, step int) (panel, from, to, behind int) {
	from = step % p.steps() * drawnColumns
	behind = d.x.Rows*d.panels + step%2*min(len(p.columns), drawnColumns)
	return step / p.steps(), from, min(from+drawnColumns, len(p.columns)), behind
}

// drawnTogether is the number of columns in a drawing task.
const drawnTogether = 32

// draw generates the columns of one task of a step.
func (d *Drawn) draw(p drawnPart, step, some int, of Drawing) {
	panel, from, to, behind := d.step(p, step)
	width := use64.gathered
	first := panel * width
	live := min(width, d.draws-first)
	for c := from + some*drawnTogether; c < min(from+(some+1)*drawnTogether, to); c++ {
		drawn := d.memory[(behind+c-from)*width:][:width]
		of.Column(drawn[:live], p.columns[c], first)
		clear(drawn[live:])
	}
}

// terms lists the panels of a sum and their factors.
type terms struct {
	at      []int32
	factors []float64
}

var termsPool = sync.Pool{New: func() any { return new(terms) }}

// add adds the products with the columns of a step to the sums of rows [first, last).
func (d *Drawn) add(p drawnPart, step, first, last int) {
	width := use64.gathered
	panel, from, to, behind := d.step(p, step)
	terms := termsPool.Get().(*terms)
	defer termsPool.Put(terms)
	for i := first; i < last; i++ {
		columns, values := d.x.Row(i)
		if from == 0 {
			d.next[i] = 0
		}
		begun, self := int(d.next[i]), i*d.panels+panel
		k := begun
		at, factors := terms.at[:0], terms.factors[:0]
		if k > 0 { // the partial sum
			at, factors = append(at, int32(self)), append(factors, 1)
		}
		for ; k < len(columns) && int(columns[k]) < to; k++ {
			c := int(columns[k])
			at, factors = append(at, int32(behind+c-from)), append(factors, values[k]*d.weights[c])
		}
		if k > begun || from == 0 {
			use64.gather(d.memory[self*width:][:width], at, factors, d.memory)
		}
		d.next[i], terms.at, terms.factors = int32(k), at, factors
	}
}
