package features

import "math"

// arcCosine is the family of the features √2·[w·x > 0]·(w·x)ⁿ, w standard normal (Cho and Saul, "Kernel
// methods for deep learning", NIPS 2009).
type arcCosine struct {
	d, order int
	sampler  Sampler
}

func (f arcCosine) paired() bool { return false }

func (f arcCosine) draw(draws int, gain float64, s *source, workers int) Block {
	b := newProjection(draws, f.d, standardNormal(f.d), f.sampler, s, workers)
	b.scale = math.Sqrt(2 * gain / float64(draws))
	b.function = [...]func(v []float64, scale float64){step, ramp, squaredRamp}[f.order]
	return b
}

// step sets positive elements to scale and other elements to 0. It does not branch, because signs are
// random.
func step(v []float64, scale float64) {
	bits := math.Float64bits(scale)
	for i, p := range v {
		// The sign of 0 − p, extended to all bits, is set only for p > 0.
		v[i] = math.Float64frombits(bits & uint64(int64(math.Float64bits(0-p))>>63))
	}
}

func ramp(v []float64, scale float64) {
	for i, p := range v {
		v[i] = scale * max(p, 0)
	}
}

func squaredRamp(v []float64, scale float64) {
	for i, p := range v {
		p = max(p, 0)
		v[i] = scale * p * p
	}
}
