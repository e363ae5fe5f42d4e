package search

import "math"

// candidate is a grid point of the search. It has the indices of a column scale and a
// family. The bandwidth is 2^(width/2) median distances, and the noise 10^(noise/2) times
// the mean of k(x, x).
type candidate struct{ scale, family, width, noise int }

// At the bounds of the noise the fit treats all of the targets as noise, or interpolates
// them. At the bounds of the bandwidth the Gram matrix approaches a multiple of the
// identity, or the kernel approaches polynomials or splines.
const (
	leastWidth, mostWidth = -12, 8
	leastNoise, mostNoise = -18, 6
)

func (p candidate) multiple() float64 { return math.Ldexp(rootIf(p.width, math.Sqrt2), p.width>>1) }
func (p candidate) level() float64 {
	return math.Pow10(p.noise>>1) * rootIf(p.noise, 3.1622776601683795)
}

// rootIf returns root for odd steps and 1 for even steps.
func rootIf(steps int, root float64) float64 {
	if steps&1 != 0 {
		return root
	}
	return 1
}

// leastNoiseOf returns the smallest allowed noise at a bandwidth. A wide Gaussian with
// little noise approaches its flat limit, polynomial interpolation (Driscoll and Fornberg,
// "Interpolation in the limit of increasingly flat radial basis functions", 2002), which
// extrapolates wildly. The limit of the Matérn and Laplacian kernels is a spline, which is
// stable.
func (f Family) leastNoiseOf(width int) int {
	if f == GaussianFamily && width > 0 {
		return -14 + width
	}
	return leastNoise
}

// step returns the grid point some steps away.
func (p candidate) step(width, noise int) candidate {
	p.width, p.noise = p.width+width, p.noise+noise
	return p
}

// allowed reports whether a candidate is on the grid and keeps the given kernel and noise.
func (p *problem) allowed(at candidate) bool {
	if p.givenKernel != nil && at.width != 0 || p.givenNoise > 0 && at.noise != 0 {
		return false
	}
	if w := p.bandwidth(at); w != positive(w) {
		return false // out of the range of kernel parameters
	}
	return at.width >= leastWidth && at.width <= mostWidth && at.noise <= mostNoise && at.noise >= p.leastNoise(at)
}

// leastNoise returns the smallest allowed noise at a candidate.
func (p *problem) leastNoise(at candidate) int { return p.families[at.family].leastNoiseOf(at.width) }

// edge reports whether a candidate is on the boundary of the grid.
func (p *problem) edge(at candidate) bool {
	return p.givenKernel == nil && (at.width == leastWidth || at.width == mostWidth) ||
		p.givenNoise == 0 && (at.noise == mostNoise || at.noise == p.leastNoise(at))
}

// start returns the initial candidate for the scale and the family of at.
func (p *problem) start(at candidate) candidate {
	if p.givenKernel == nil {
		at.width = p.families[at.family].firstWidth()
	}
	if p.givenNoise == 0 {
		at.noise = -2
	}
	return at
}
