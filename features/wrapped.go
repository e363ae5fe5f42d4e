package features

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// wrapped is a basis behind a lift, which may be nil, times a scale.
type wrapped struct {
	of    basis
	lift  lift
	d     int
	scale float64
}

func (w wrapped) columns() int { return w.of.columns() }

func (w wrapped) draw(s *source, workers int) Block {
	b := w.of.draw(s, workers)
	if w.lift != nil {
		b = &liftedBlock{by: w.lift, d: w.d, columns: w.columns(), of: b, workers: workers}
	}
	if w.scale != 1 {
		b = &scaledBlock{b, w.scale, workers}
	}
	return b
}

type scaledBlock struct {
	of      Block
	scale   float64
	workers int
}

func (b *scaledBlock) TransformTo(dst, x blas64.General) {
	b.of.TransformTo(dst, x)
	eachRows(dst.Rows, b.workers, func(from, to int) {
		for i := from; i < to; i++ {
			floats.Scale(b.scale, rowOf(dst, i))
		}
	})
}

func (b *scaledBlock) Bytes() int { return b.of.Bytes() }
