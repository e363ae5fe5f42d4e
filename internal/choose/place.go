package choose

import "math"

// place is a point of the grid that is searched: a column scale and a family, by their
// numbers, a bandwidth of 2^(width/2) median distances, and noise of 10^(noise/2) in
// units of the mean of k(x, x).
type place struct{ scale, family, width, noise int }

// The grid ends where, at a noise of its largest or smallest value, all or nothing of
// the targets is taken for noise, and at bandwidths beyond which kernels tend to a
// multiple of the unit matrix or to polynomials and splines.
const (
	leastWidth, mostWidth = -12, 8
	leastNoise, mostNoise = -18, 6
)

func (p place) multiple() float64 { return math.Ldexp(rootIf(p.width, math.Sqrt2), p.width>>1) }
func (p place) level() float64 {
	return math.Pow10(p.noise>>1) * rootIf(p.noise, 3.1622776601683795)
}

// rootIf returns the root for odd steps of half a power.
func rootIf(steps int, root float64) float64 {
	if steps&1 != 0 {
		return root
	}
	return 1
}

// leastNoiseOf returns the smallest noise that is allowed at a bandwidth. A wide
// Gaussian with little noise is in its flat limit, where it interpolates by polynomials
// (Driscoll and Fornberg, "Interpolation in the limit of increasingly flat radial basis
// functions", 2002): fine between rows, and wild beyond them. That of the Matérn kernels
// and of the Laplacian is a spline, and sound.
func (f Family) leastNoiseOf(width int) int {
	if f == GaussianFamily && width > 0 {
		return -14 + width
	}
	return leastNoise
}

// moved returns the place some steps on.
func (p place) moved(width, noise int) place {
	p.width, p.noise = p.width+width, p.noise+noise
	return p
}

// allowed reports whether a place lies on the grid, and changes nothing that is given.
func (p *problem) allowed(at place) bool {
	if p.givenKernel != nil && at.width != 0 || p.givenNoise > 0 && at.noise != 0 {
		return false
	}
	if w := p.bandwidth(at); w != positive(w) {
		return false // no kernel of the library has it
	}
	return at.width >= leastWidth && at.width <= mostWidth && at.noise <= mostNoise && at.noise >= p.leastNoise(at)
}

// leastNoise returns the smallest noise of a place.
func (p *problem) leastNoise(at place) int { return p.families[at.family].leastNoiseOf(at.width) }

// edge reports whether a step further would leave the grid.
func (p *problem) edge(at place) bool {
	return p.givenKernel == nil && (at.width == leastWidth || at.width == mostWidth) ||
		p.givenNoise == 0 && (at.noise == mostNoise || at.noise == p.leastNoise(at))
}

// start returns where the search begins for the scale and the family of a place.
func (p *problem) start(at place) place {
	if p.givenKernel == nil {
		at.width = p.families[at.family].firstWidth()
	}
	if p.givenNoise == 0 {
		at.noise = -2
	}
	return at
}
