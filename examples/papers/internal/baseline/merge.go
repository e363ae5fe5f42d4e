package baseline

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/kernel"
)

// Merge replaces the point a with the smallest weight and a second point b by z = h·a + (1−h)·b, 0
// ≤ h ≤ 1. The weights of z are the projection onto k(z, ·),
//
//	w_z = k(a,b)^((1−h)²)·w_a + k(a,b)^(h²)·w_b.
//
// Merge selects the b and h with the smallest change of the function in the RKHS norm. This is
// section 4.3 of the BSGD paper, extended to several classes. It requires a Gaussian kernel.
type Merge struct{}

func (Merge) reduce(f *Expansion, k kernel.Gaussian) {
	a := smallest(f)
	values := f.row(f.point(a))
	best, at, least := -1, 0.0, math.Inf(1)
	for b, v := range values {
		if b == a {
			continue
		}
		p := newPair(f.weight(a), f.weight(b), v)
		h := p.search()
		if d := p.degradation(h); d < least {
			best, at, least = b, h, d
		}
	}
	p := newPair(f.weight(a), f.weight(best), values[best])
	w := p.merged(at)
	z := make([]float64, f.inputs)
	floats.AddScaledTo(z, z, at, f.point(a))
	floats.AddScaled(z, 1-at, f.point(best))
	f.remove(max(a, best))
	f.remove(min(a, best))
	f.append(z, w)
}

// pair is a pair of terms to merge.
type pair struct {
	a, b       []float64 // weights
	aa, ab, bb float64   // inner products
	value, log float64   // k(a, b) and its logarithm
}

// newPair bounds the kernel from below, so that its logarithm is finite.
func newPair(a, b []float64, value float64) pair {
	return pair{a: a, b: b, aa: floats.Dot(a, a), ab: floats.Dot(a, b), bb: floats.Dot(b, b),
		value: value, log: math.Log(math.Max(value, 1e-300))}
}

// kept is the squared norm of the merged term, ‖w_z‖².
func (p pair) kept(h float64) float64 {
	s, t := math.Exp((1-h)*(1-h)*p.log), math.Exp(h*h*p.log)
	return s*s*p.aa + 2*s*t*p.ab + t*t*p.bb
}

// degradation is the squared norm of the two terms minus the squared norm of the merged term.
func (p pair) degradation(h float64) float64 {
	return p.aa + 2*p.value*p.ab + p.bb - p.kept(h)
}

func (p pair) merged(h float64) []float64 {
	w := make([]float64, len(p.a))
	floats.AddScaled(w, math.Exp((1-h)*(1-h)*p.log), p.a)
	floats.AddScaled(w, math.Exp(h*h*p.log), p.b)
	return w
}

// search finds h by golden-section search. It also considers the endpoints, where z = a or z = b.
func (p pair) search() float64 {
	const ratio, sections = 0.6180339887498949, 20
	low, high := 0.0, 1.0
	c, d := high-ratio, low+ratio
	fc, fd := p.kept(c), p.kept(d)
	for range sections {
		if fc > fd {
			high, d, fd = d, c, fc
			c = high - ratio*(high-low)
			fc = p.kept(c)
		} else {
			low, c, fc = c, d, fd
			d = low + ratio*(high-low)
			fd = p.kept(d)
		}
	}
	best := (low + high) / 2
	for _, end := range []float64{0, 1} {
		if p.kept(end) > p.kept(best) {
			best = end
		}
	}
	return best
}
