package recipe

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// Count says what cells of a column were borne with.
type Count struct {
	// Column is the name.
	Column string `json:"column"`
	// Missing counts cells that are missing where rows to train on had none, or in a column
	// that is not there.
	Missing int `json:"missing,omitempty"`
	// Unknown counts levels that fewer than three rows to train on had.
	Unknown int `json:"unknown,omitempty"`
	// Absent says that the column is not there.
	Absent bool `json:"absent,omitempty"`
}

// Inputs returns the rows of a table as numbers: a *mat.Dense, or an *rkhs.Sparse where there
// are texts. Counts are those of columns in which anything was borne with. It
// needs neither the target nor the weights. Errors wrap rkhs.ErrEmpty for a
// table without rows, rkhs.ErrFormat for cells that are not of the kind of their column, which
// name the line, and rkhs.ErrShape for a table that has none of the columns.
func (r *Recipe) Inputs(t *dataset.Table) (x mat.Matrix, counts []Count, err error) {
	x, counts, _, err = r.encodeRows(t)
	return x, counts, err
}

// encodeRows is Inputs, and returns the cells to substitute.
func (r *Recipe) encodeRows(t *dataset.Table) (x mat.Matrix, counts []Count, g gaps, err error) {
	n, _ := t.Dims()
	if r.Width() == 0 {
		return nil, nil, g, fmt.Errorf("%s: the recipe was not learned: %w", pkg, rkhs.ErrUnfitted)
	}
	if n == 0 {
		return nil, nil, g, fmt.Errorf("%s: no rows: %w", pkg, rkhs.ErrEmpty)
	}
	parts := make([]part, 0, len(r.columns))
	there, offset := 0, 0
	for k := range r.columns {
		c := &r.columns[k]
		if c.width() == 0 {
			continue
		}
		p := part{column: c, of: t.Column(c.name), offset: offset, scaled: r.sparse}
		if err := p.open(t); err != nil {
			return nil, nil, g, err
		}
		if p.of != nil {
			there++
		}
		offset += c.width()
		parts = append(parts, p)
	}
	if there == 0 {
		return nil, nil, g, fmt.Errorf("%s: the rows have none of the columns of the recipe, only %q: %w", pkg, namesOf(t.Columns()), rkhs.ErrShape)
	}
	if r.sparse {
		x, err = sparseRows(t, parts, n, offset)
	} else {
		x, err = denseRows(t, parts, n, offset)
	}
	if err != nil {
		return nil, nil, g, err
	}
	for _, p := range parts {
		if p.count != (Count{}) {
			p.count.Column = p.column.name
			counts = append(counts, p.count)
		}
	}
	return x, counts, gapsOf(parts), nil
}

// part is a column on its way into rows.
type part struct {
	*column
	of     *dataset.Column // nil if it is not there
	block  *rkhs.Sparse    // of what is hashed
	offset int
	scaled bool
	count  Count
	gaps   []int // rows of which the cell is to be substituted
}

// open hashes what is to be hashed.
func (p *part) open(t *dataset.Table) error {
	if p.of == nil {
		p.count.Absent = true
	}
	if p.use != hashed && p.use != words {
		return nil
	}
	n, _ := t.Dims()
	rows := make([][]string, n)
	for i := range rows {
		text, ok := p.text(i)
		switch {
		case !ok:
			p.count.Missing++
			if !p.flag {
				p.gaps = append(p.gaps, i)
			}
		case p.use == words:
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
	if p.use == words {
		unitLength(p.block)
	}
	return nil
}

// text returns the text of a cell, and whether there is one.
func (p *part) text(row int) (string, bool) {
	if p.of == nil {
		return "", false
	}
	return p.of.Text(row)
}

// unitLength divides rows by their Euclidean length.
func unitLength(s *rkhs.Sparse) {
	for i := range s.Rows {
		row, sum := s.Values[s.Offsets[i]:s.Offsets[i+1]], 0.0
		for _, v := range row {
			sum += v * v
		}
		for k := range row {
			row[k] /= math.Sqrt(sum)
		}
	}
}

// fill sets the columns of a row of what is not hashed; dst is zero.
func (p *part) fill(t *dataset.Table, dst []float64, row int) error {
	if p.use == levels {
		p.fillLevel(dst, row)
		return nil
	}
	v, ok, err := 0.0, false, error(nil)
	if p.of != nil {
		v, ok, err = p.value(p.of, row)
	}
	if err != nil {
		return faulty(t, p.of, row, err)
	}
	if !ok {
		v = p.median
		p.lacks(dst, row)
	}
	if p.scaled && p.spread > 0 {
		v = (v - p.median) / p.spread
	}
	dst[0] = v
	if ok && p.use == times {
		at, _, _ := p.of.Time(row) // as value has read it
		timePhases(dst[1:len(dst)-p.flagWidth()], at)
	}
	return nil
}

// lacks notes a missing cell.
func (p *part) lacks(dst []float64, row int) {
	if p.flag {
		dst[len(dst)-1] = 1
	}
	if !p.flag || p.few {
		p.gaps = append(p.gaps, row)
	}
	if !p.flag || p.of == nil {
		p.count.Missing++
	}
}

func (p *part) fillLevel(dst []float64, row int) {
	text, ok := p.text(row)
	if !ok {
		p.lacks(dst, row)
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
	x := &rkhs.Sparse{Rows: n, Cols: width, Offsets: make([]int, 1, n+1)}
	for i := range n {
		for k := range parts {
			if err := parts[k].appendTo(x, t, i); err != nil {
				return nil, err
			}
		}
		x.Offsets = append(x.Offsets, len(x.Columns))
	}
	return x, nil
}

// appendTo appends the elements of a row.
func (p *part) appendTo(x *rkhs.Sparse, t *dataset.Table, row int) error {
	put := func(_, j int, v float64) {
		if v != 0 {
			x.Columns, x.Values = append(x.Columns, int32(p.offset+j)), append(x.Values, v)
		}
	}
	if p.block != nil {
		p.block.DoRowNonZero(row, put)
		return nil
	}
	dst := make([]float64, p.width())
	if err := p.fill(t, dst, row); err != nil {
		return err
	}
	for j, v := range dst {
		put(row, j, v)
	}
	return nil
}
