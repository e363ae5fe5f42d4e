package linalg

import (
	"slices"

	"gonum.org/v1/gonum/floats"
)

// packed is the lower triangle of a symmetric n×n matrix by rows: row i has i+1 numbers. New rows are
// appended at the end, without changing a stride, in half of the memory of a square.
type packed struct {
	n    int
	data []float64
}

// row returns the i+1 numbers of row i. The last is on the diagonal.
func (p *packed) row(i int) []float64 {
	at := i * (i + 1) / 2
	return p.data[at : at+i+1 : at+i+1]
}

// push appends a row of arbitrary numbers and returns it.
func (p *packed) push() []float64 {
	p.data = slices.Grow(p.data, p.n+1)[:len(p.data)+p.n+1]
	p.n++
	return p.row(p.n - 1)
}

// remove removes row i and column i in place, in ascending order of addresses.
func (p *packed) remove(i int) {
	to := i * (i + 1) / 2
	for r := i + 1; r < p.n; r++ {
		row := p.row(r)
		copy(p.data[to:], row[:i])
		copy(p.data[to+i:], row[i+1:])
		to += r
	}
	p.n--
	p.data = p.data[:to]
}

// column sets dst to column j of the symmetric matrix.
func (p *packed) column(dst []float64, j int) {
	copy(dst, p.row(j))
	at := (j+1)*(j+2)/2 + j
	for r := j + 1; r < p.n; r++ {
		dst[r] = p.data[at]
		at += r + 1
	}
}

// setColumn sets column j of the symmetric matrix to x.
func (p *packed) setColumn(j int, x []float64) {
	copy(p.row(j), x)
	at := (j+1)*(j+2)/2 + j
	for r := j + 1; r < p.n; r++ {
		p.data[at] = x[r]
		at += r + 1
	}
}

// mulVec sets dst = S·x for the symmetric matrix S. dst and x must not overlap.
func (p *packed) mulVec(dst, x []float64) {
	for r := range p.n {
		row := p.row(r)
		dst[r] = floats.Dot(row, x[:r+1])
		floats.AddScaled(dst[:r], x[r], row[:r])
	}
}

// addOuter adds alpha·x·xᵀ to the symmetric matrix.
func (p *packed) addOuter(alpha float64, x []float64) {
	for r := range p.n {
		floats.AddScaled(p.row(r), alpha*x[r], x[:r+1])
	}
}
