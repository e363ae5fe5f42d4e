package compute

import (
	"math"
	"slices"
)

// rowSums computes the inner products of each row of a sparse X with the rows of another
// matrix. The columns are identified by their positions.
type rowSums struct {
	x    *Sparse
	at   columnIndex
	rows int // number of rows of the other matrix
	// finish receives the products of row i of X with the rows from j on and may overwrite
	// them. There are always gathered products; products past the last row are padding.
	finish func(i, j int, sums []float64)
	flush  func() // ends a tile; may be nil
}

// sumRows is the number of rows of X processed with one panel while it is in the cache.
const sumRows = 128

// eachTile calls do for ranges of rows of X in parallel. products is the number of
// multiplications per element of X.
func (s rowSums) eachTile(products, workers int, do func(from, to int)) {
	work := s.x.Listed()*products + s.x.Rows*s.rows*8
	Parallel(ceil(s.x.Rows, sumRows), workersFor(work, workers), func(t int) {
		do(t*sumRows, min((t+1)*sumRows, s.x.Rows))
		s.end()
	})
}

// end makes the output of finish visible to other goroutines.
func (s rowSums) end() {
	if s.flush != nil {
		s.flush()
	}
}

// byPanels packs the other matrix in panels of gathered rows. fill stores element r of
// position p at panel[p·width+r].
func (s rowSums) byPanels(fill func(panel []float64, first, width int), workers int) {
	e := use64
	width, columns := e.gathered, len(s.at.columns)
	panels, size := ceil(s.rows, width), width*columns
	packed := e.buffer(panels * size)
	defer packed.free()
	Parallel(panels, workersFor(s.rows*columns*8, workers), func(p int) {
		fill(packed.data[p*size:(p+1)*size], p*width, width)
	})
	s.eachTile(s.rows, workers, func(from, to int) {
		space := listSpaces.Get().(*listSpace)
		defer listSpaces.Put(space)
		rows := s.at.numbered(s.x, from, to, space)
		sums := e.buffer(width)
		defer sums.free()
		for p := range panels {
			panel := packed.data[p*size : (p+1)*size]
			for i := from; i < to; i++ {
				at, values := rows.Row(i - from)
				e.gather(sums.data, at, values, panel)
				s.finish(i, p*width, sums.data)
			}
		}
	})
}

// byDrawnColumns generates the other matrix column by column. draw sets dst to elements
// first, first+1, … of column j. It keeps the sums of gathered rows in memory and adds
// the columns in ascending order.
func (s rowSums) byDrawnColumns(of columnLists, draw func(dst []float64, j int32, first int), workers int) {
	e := use64
	width, n := e.gathered, s.x.Rows
	Parallel(ceil(s.rows, width), workersFor(s.rows*len(of.columns)*64, workers), func(p int) {
		// The first n rows are the sums; the last row is the current column. gather reads both
		// from one panel.
		panel := e.buffer((n + 1) * width)
		defer panel.free()
		clear(panel.data)
		first := p * width
		column := panel.data[n*width:][:min(width, s.rows-first)]
		at, factors := []int32{0, int32(n)}, []float64{1, 0}
		for c, j := range of.columns {
			draw(column, j, first)
			rows, values := of.lists.Row(int(of.at[c]))
			for k, i := range rows {
				at[0], factors[1] = i, values[k]
				e.gather(panel.data[int(i)*width:][:width], at, factors, panel.data)
			}
		}
		for i := range n {
			s.finish(i, first, panel.data[i*width:][:width])
		}
		s.end()
	})
}

// columnLists holds the listed columns in ascending order, with the rows that list each.
type columnLists struct {
	columns []int32
	at      []int32 // the row of lists for each column
	lists   *Sparse
}

func (s *Sparse) columnLists() columnLists {
	positions := touched(s)
	defer positions.free()
	of := columnLists{columns: slices.Sorted(slices.Values(positions.columns)), lists: positions.postings(s, new(listSpace))}
	of.at = make([]int32, len(of.columns))
	for c, j := range of.columns {
		of.at[c] = int32(positions.of(j))
	}
	return of
}

// byPostings looks up, for each element of a row of X, the elements in its column of
// sparse Z.
func (s rowSums) byPostings(z *Sparse, workers int) {
	e := use64
	width := e.gathered
	space := listSpaces.Get().(*listSpace)
	defer listSpaces.Put(space)
	lists := s.at.postings(z, space)
	s.eachTile(ceil(z.Listed(), max(1, lists.Rows)), workers, func(from, to int) {
		sums := e.buffer(ceil(s.rows, width) * width)
		defer sums.free()
		for i := from; i < to; i++ {
			clear(sums.data)
			columns, values := s.x.Row(i)
			for k, j := range columns {
				if at := s.at.of(j); at >= 0 {
					lists.addTo(sums.data, at, values[k], 1)
				}
			}
			for j := 0; j < s.rows; j += width {
				s.finish(i, j, sums.data[j:j+width])
			}
		}
	})
}

// byRows reads each row of sparse Z once, for an X with few rows. Here at holds the columns
// of X.
func (s rowSums) byRows(z *Sparse, workers int) {
	const some = 64 // rows of Z per task
	e := use64
	width := ceil(s.rows, e.gathered) * e.gathered
	sums := e.buffer(s.x.Rows * width)
	defer sums.free()
	clear(sums.data)
	space := listSpaces.Get().(*listSpace)
	defer listSpaces.Put(space)
	lists := s.at.postings(s.x, space)
	Parallel(ceil(z.Rows, some), workersFor(z.Listed()*8, workers), func(t int) {
		for r := t * some; r < min((t+1)*some, z.Rows); r++ {
			columns, values := z.Row(r)
			for k, j := range columns {
				if at := s.at.of(j); at >= 0 {
					lists.addTo(sums.data[r:], at, values[k], width)
				}
			}
		}
	})
	Parallel(s.x.Rows, workersFor(s.x.Rows*width*8, workers), func(i int) {
		for j := 0; j < width; j += e.gathered {
			s.finish(i, j, sums.data[i*width+j:][:e.gathered])
		}
		s.end()
	})
}

// addTo adds v times row i to the elements of dst with the given stride.
func (s *Sparse) addTo(dst []float64, i int, v float64, stride int) {
	columns, values := s.Row(i)
	for k, j := range columns {
		to := &dst[int(j)*stride]
		*to = math.FMA(v, values[k], *to)
	}
}

// gatherGo is the portable gather.
func gatherGo(c []float64, at []int32, v, b []float64) {
	var sums [quantum]float64
	for k, p := range at {
		row := b[int(p)*quantum:][:quantum]
		for j := range sums {
			sums[j] = math.FMA(v[k], row[j], sums[j])
		}
	}
	copy(c[:quantum], sums[:])
}
