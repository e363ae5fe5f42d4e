package features

import (
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// product is the basis of a product of kernels: each atom is the product of one of
// each factor, drawn independently. As complex numbers, cosine plus i times sine,
// pairs multiply by adding their angles, and a pair times a single column is
// that pair scaled.
type product struct {
	factors []atomic // the first is a pair if any is
	atoms   int
	gain    float64
}

func newProduct(factors []atomic, columns int, gain float64) product {
	if i := slices.IndexFunc(factors, atomic.paired); i > 0 {
		factors = slices.Clone(factors)
		factors[0], factors[i] = factors[i], factors[0]
	}
	return product{factors, atomsIn(columns, factors[0].paired()), gain}
}

func (p product) columns() int { return columnsFor(p.atoms, p.factors[0].paired()) }

func (p product) draw(s *source, workers int) Block {
	b := &productBlock{atoms: p.atoms, columns: p.columns(), workers: workers}
	b.first = p.factors[0].draw(p.atoms, p.gain, s, workers)
	for _, f := range p.factors[1:] {
		// A gain of m takes the factor 1/√m away.
		b.others = append(b.others, f.draw(p.atoms, float64(p.atoms), s, workers))
		b.widths = append(b.widths, columnsFor(p.atoms, f.paired()))
	}
	if len(b.others) == 0 {
		return b.first
	}
	return b
}

type productBlock struct {
	first          Block
	others         []Block
	widths         []int
	atoms, columns int
	workers        int
}

// productRows bounds the memory for the features of a factor.
const productRows = 1024

func (b *productBlock) TransformTo(dst, x blas64.General) {
	checkSizes(dst, x, x.Cols, b.columns)
	for from := 0; from < x.Rows; from += productRows {
		to := min(from+productRows, x.Rows)
		b.transform(compute.Rows(dst, from, to), compute.Rows(x, from, to))
	}
}

func (b *productBlock) transform(dst, x blas64.General) {
	b.first.TransformTo(dst, x)
	for i, f := range b.others {
		y, memory := borrowMatrix(x.Rows, b.widths[i])
		f.TransformTo(y, x)
		eachRows(x.Rows, b.workers, func(from, to int) {
			for i := from; i < to; i++ {
				b.multiply(rowOf(dst, i), rowOf(y, i))
			}
		})
		giveBack(memory)
	}
}

func (b *productBlock) multiply(dst, y []float64) {
	m := b.atoms
	switch {
	case len(y) == len(dst) && len(dst) == 2*m:
		cos, sin, yCos, ySin := dst[:m], dst[m:], y[:m], y[m:]
		for j, c := range cos {
			s := sin[j]
			cos[j] = float64(c*yCos[j]) - float64(s*ySin[j])
			sin[j] = float64(s*yCos[j]) + float64(c*ySin[j])
		}
	case len(dst) == 2*m:
		floats.Mul(dst[:m], y)
		floats.Mul(dst[m:], y)
	default:
		floats.Mul(dst, y)
	}
}

func (b *productBlock) Bytes() int { return b.first.Bytes() + bytesOf(b.others) }
