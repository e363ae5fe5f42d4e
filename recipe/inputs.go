package recipe

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// Count counts irregular cells of a column.
type Count struct {
	// Column is the name of the column.
	Column string `json:"column"`
	// Missing counts missing cells of a column that is complete in the training rows, or absent.
	Missing int `json:"missing,omitempty"`
	// Unknown counts levels that fewer than three training rows have.
	Unknown int `json:"unknown,omitempty"`
	// Outside counts numbers and times outside the range of the training rows.
	Outside int `json:"outside,omitempty"`
	// Absent reports that the table lacks the column.
	Absent bool `json:"absent,omitempty"`
}

// Inputs encodes the rows of a table as a *mat.Dense, or as an *rkhs.Sparse if the recipe has
// texts. It needs neither target nor weights. Counts list columns with irregular cells. Errors wrap
// rkhs.ErrEmpty for a table without rows, rkhs.ErrFormat for cells of another kind than their
// column, and rkhs.ErrShape for a table without any of the columns.
func (r *Recipe) Inputs(t *dataset.Table) (x mat.Matrix, counts []Count, err error) {
	e, err := r.encodeRows(t)
	return e.x, e.counts, err
}

// encoded are encoded rows.
type encoded struct {
	x      mat.Matrix
	counts []Count
	gaps   gaps
}

func (r *Recipe) encodeRows(t *dataset.Table) (e encoded, err error) {
	n, _ := t.Dims()
	if r.Width() == 0 {
		return e, fmt.Errorf("%s: the recipe was not learned: %w", pkg, rkhs.ErrUnfitted)
	}
	if n == 0 {
		return e, fmt.Errorf("%s: no rows: %w", pkg, rkhs.ErrEmpty)
	}
	parts := make([]part, 0, len(r.columns))
	present, offset := false, 0
	for k := range r.columns {
		c := &r.columns[k]
		if c.width() == 0 {
			continue
		}
		p := part{column: c, offset: offset, scaled: r.sparse}
		if p.cells, err = read(t, c.name, c.read); err != nil {
			return e, err
		}
		p.count.Absent = p.cells == nil
		present = present || p.cells != nil
		if c.hashed() {
			if err := p.hash(n); err != nil {
				return e, err
			}
		}
		offset += c.width()
		parts = append(parts, p)
	}
	if !present {
		return e, fmt.Errorf("%s: the rows have none of the columns of the recipe, only %q: %w", pkg, namesOf(t.Columns()), rkhs.ErrShape)
	}
	var x mat.Matrix
	if r.sparse {
		x, err = sparseRows(t, parts, n, offset)
	} else {
		x, err = denseRows(t, parts, n, offset)
	}
	if err != nil {
		return e, err
	}
	for _, p := range parts {
		if p.count != (Count{}) {
			p.count.Column = p.name
			e.counts = append(e.counts, p.count)
		}
	}
	e.x, e.gaps = x, gapsOf(parts)
	return e, nil
}

// read returns a column in the notation of the training rows, or nil if the table lacks it.
func read(t *dataset.Table, name string, n dataset.Notation) (*dataset.Column, error) {
	c := t.Column(name)
	if c == nil {
		return nil, nil
	}
	c, err := c.As(n)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", pkg, err)
	}
	return c, nil
}

// part encodes a column of a table.
type part struct {
	*column
	cells  *dataset.Column // nil if absent
	block  *rkhs.Sparse    // hashed columns of all rows
	offset int             // of the first column
	scaled bool
	count  Count
	gaps   []int // rows with a cell to substitute
}

// hash encodes a hashed column.
func (p *part) hash(n int) error {
	rows := make([][]string, n)
	for i := range rows {
		text, ok := p.text(i)
		switch {
		case !ok:
			p.count.Missing++
			if !p.flag {
				p.gaps = append(p.gaps, i)
			}
		case p.use == Words:
			rows[i] = dataset.Words(text)
		default:
			rows[i] = []string{text}
			if p.unknownHash(text) {
				p.count.Unknown++
				p.gaps = append(p.gaps, i)
			}
		}
	}
	var err error
	if p.block, err = (dataset.Hashing{Bits: p.bits}).Strings(rows); err != nil {
		return fmt.Errorf("%s: column %q: %w", pkg, p.name, err)
	}
	if p.use == Words {
		unitLength(p.block)
	}
	return nil
}

// text returns the text of a cell. It is not ok if the cell or the column is missing.
func (p *part) text(row int) (text string, ok bool) {
	if p.cells == nil {
		return "", false
	}
	return p.cells.Text(row)
}

// unitLength divides rows by their Euclidean length.
func unitLength(s *rkhs.Sparse) {
	for i := range s.Rows {
		row, sum := s.Values[s.Offsets[i]:s.Offsets[i+1]], 0.0
		for _, v := range row {
			sum += float64(v * v)
		}
		for k := range row {
			row[k] /= math.Sqrt(sum)
		}
	}
}

// fill encodes a cell that is not hashed into dst, which is zero.
func (p *part) fill(t *dataset.Table, dst []float64, row int) error {
	if p.use == Levels {
		p.fillLevel(dst, row)
		return nil
	}
	v, ok := p.median, false
	if p.cells != nil {
		number, at, found, err := p.value(p.cells, row)
		if err != nil {
			return cellError(t, p.cells, row, err)
		}
		if ok = found; ok {
			v = number
			if v < p.low || v > p.high {
				p.count.Outside++
			}
		}
		if ok && p.use == Times {
			setPhases(dst[1:][:p.phases()], at)
		}
	}
	if !ok {
		p.setGap(dst, row)
	}
	if p.scaled && p.spread > 0 {
		v = (v - p.median) / p.spread
	}
	dst[0] = v
	return nil
}

func (p *part) fillLevel(dst []float64, row int) {
	text, ok := p.text(row)
	if !ok {
		p.setGap(dst, row)
		if !p.flag {
			dst[len(p.levels)] = 1
		}
		return
	}
	at, known := p.index[text]
	if !known {
		at = len(p.levels)
		p.count.Unknown++
		if !p.others {
			p.gaps = append(p.gaps, row)
		}
	}
	dst[at] = 1
}

// setGap records a missing cell.
func (p *part) setGap(dst []float64, row int) {
	if p.flag {
		dst[len(dst)-1] = 1
	}
	if !p.flag || p.few {
		p.gaps = append(p.gaps, row)
	}
	if !p.flag || p.cells == nil {
		p.count.Missing++
	}
}

func denseRows(t *dataset.Table, parts []part, n, width int) (*mat.Dense, error) {
	x := mat.NewDense(n, width, nil)
	for k := range parts {
		p := &parts[k]
		for i := range n {
			dst := x.RawRowView(i)[p.offset:][:p.width()]
			if p.block != nil {
				p.block.DoRowNonZero(i, func(_, j int, v float64) { dst[j] = v })
			} else if err := p.fill(t, dst, i); err != nil {
				return nil, err
			}
		}
	}
	return x, nil
}

func sparseRows(t *dataset.Table, parts []part, n, width int) (*rkhs.Sparse, error) {
	return sparseOf(n, width, func(i int, add func(column int, v float64)) error {
		for k := range parts {
			p := &parts[k]
			if p.block != nil {
				p.block.DoRowNonZero(i, func(_, j int, v float64) { add(p.offset+j, v) })
				continue
			}
			dst := make([]float64, p.width())
			if err := p.fill(t, dst, i); err != nil {
				return err
			}
			for j, v := range dst {
				add(p.offset+j, v)
			}
		}
		return nil
	})
}

// sparseOf returns n sparse rows. fill adds the elements of row i by ascending columns.
func sparseOf(n, width int, fill func(i int, add func(column int, v float64)) error) (*rkhs.Sparse, error) {
	x := &rkhs.Sparse{Rows: n, Cols: width, Offsets: make([]int, 1, n+1)}
	add := func(column int, v float64) {
		if v != 0 {
			x.Columns, x.Values = append(x.Columns, int32(column)), append(x.Values, v)
		}
	}
	for i := range n {
		if err := fill(i, add); err != nil {
			return nil, err
		}
		x.Offsets = append(x.Offsets, len(x.Columns))
	}
	return x, nil
}
