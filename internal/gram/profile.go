package gram

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Profile is a function of one number, the squared distance or the inner product
// of two points. Sums and products of kernels that share such a number are again
// one: the number is then computed once.
type Profile interface {
	// Apply replaces each number by the value. scratch holds at least Depth()
	// times profileChunk numbers, and v at most profileChunk.
	Apply(v, scratch []float64)
	Depth() int
}

// profileChunk numbers pass through a profile together, in the first level cache.
const profileChunk = 512

// applyRows applies p to all elements of m.
func applyRows(p Profile, m compute.Matrix) {
	scratch := make([]float64, p.Depth()*profileChunk)
	for i := range m.Rows {
		applyChunks(p, compute.Row(m, i), scratch)
	}
}

// ApplyAll applies p to all elements of v.
func ApplyAll(p Profile, v []float64) {
	applyChunks(p, v, make([]float64, p.Depth()*profileChunk))
}

func applyChunks(p Profile, v, scratch []float64) {
	for i := 0; i < len(v); i += profileChunk {
		p.Apply(v[i:min(i+profileChunk, len(v))], scratch)
	}
}

type profileFunc func(v []float64)

func (l profileFunc) Apply(v, _ []float64) { l(v) }
func (profileFunc) Depth() int             { return 0 }

type scaleProfile struct {
	by float64
	of Profile
}

func (s scaleProfile) Apply(v, scratch []float64) {
	s.of.Apply(v, scratch)
	floats.Scale(s.by, v)
}

func (s scaleProfile) Depth() int { return s.of.Depth() }

// combinedProfile is a sum or a product of Profiles.
type combinedProfile struct {
	parts   []Profile
	product bool
}

func (c combinedProfile) Apply(v, scratch []float64) {
	from, part := scratch[:len(v)], scratch[profileChunk:profileChunk+len(v)]
	scratch = scratch[2*profileChunk:]
	copy(from, v)
	for i, p := range c.parts {
		if i == 0 {
			p.Apply(v, scratch)
			continue
		}
		copy(part, from)
		p.Apply(part, scratch)
		if c.product {
			floats.Mul(v, part)
		} else {
			floats.Add(v, part)
		}
	}
}

func (c combinedProfile) Depth() int {
	d := 0
	for _, p := range c.parts {
		d = max(d, p.Depth())
	}
	return 2 + d
}
