package features

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
)

// exact is the basis of a kernel that is the inner product of lifted points, or of
// the points themselves if the lift is nil: finitely many features without error.
// All of its blocks are equal.
type exact struct {
	by   lift
	d, n int
	gain float64
}

func (e exact) columns() int { return e.n }

func (e exact) draw(_ *source, workers int) Block {
	by := e.by
	if by == nil {
		by = rowLift(func(dst, x []float64) { copy(dst, x) })
	}
	var b Block = &exactBlock{by, e.d, e.n, workers}
	if e.gain != 1 {
		b = &scaledBlock{b, math.Sqrt(e.gain), workers}
	}
	return b
}

type exactBlock struct {
	by      lift
	d, n    int
	workers int
}

func (b *exactBlock) TransformTo(dst, x blas64.General) {
	checkSizes(dst, x, b.d, b.n)
	b.by.apply(dst, x, b.workers)
}

func (b *exactBlock) Bytes() int { return 0 }

func isExact(of basis) bool {
	switch of := of.(type) {
	case exact:
		return true
	case *sum:
		for _, p := range of.parts {
			if !isExact(p) {
				return false
			}
		}
		return true
	}
	return false
}
