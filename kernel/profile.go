package kernel

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// profile is a function of one number, the squared distance or the inner product
// of two points. Sums and products of kernels that share such a number are again
// one: the number is then computed once.
type profile interface {
	// apply replaces each number by the value. scratch holds at least depth()
	// times profileChunk numbers, and v at most profileChunk.
	apply(v, scratch []float64)
	depth() int
}

// profileChunk numbers pass through a profile together, in the first level cache.
const profileChunk = 512

// applyRows applies p to all elements of m.
func applyRows(p profile, m compute.Matrix) {
	scratch := make([]float64, p.depth()*profileChunk)
	for i := range m.Rows {
		applyChunks(p, compute.Row(m, i), scratch)
	}
}

// applyAll applies p to all elements of v.
func applyAll(p profile, v []float64) {
	applyChunks(p, v, make([]float64, p.depth()*profileChunk))
}

func applyChunks(p profile, v, scratch []float64) {
	for i := 0; i < len(v); i += profileChunk {
		p.apply(v[i:min(i+profileChunk, len(v))], scratch)
	}
}

type profileFunc func(v []float64)

func (l profileFunc) apply(v, _ []float64) { l(v) }
func (profileFunc) depth() int             { return 0 }

type scaleProfile struct {
	by float64
	of profile
}

func (s scaleProfile) apply(v, scratch []float64) {
	s.of.apply(v, scratch)
	floats.Scale(s.by, v)
}

func (s scaleProfile) depth() int { return s.of.depth() }

// combinedProfile is a sum or a product of profiles.
type combinedProfile struct {
	parts   []profile
	product bool
}

func (c combinedProfile) apply(v, scratch []float64) {
	from, part := scratch[:len(v)], scratch[profileChunk:profileChunk+len(v)]
	scratch = scratch[2*profileChunk:]
	copy(from, v)
	for i, p := range c.parts {
		if i == 0 {
			p.apply(v, scratch)
			continue
		}
		copy(part, from)
		p.apply(part, scratch)
		if c.product {
			floats.Mul(v, part)
		} else {
			floats.Add(v, part)
		}
	}
}

func (c combinedProfile) depth() int {
	d := 0
	for _, p := range c.parts {
		d = max(d, p.depth())
	}
	return 2 + d
}
