package tune

import "math"

// place is a point of the grid that is searched: a column scale and a family, by their
// numbers, a bandwidth of 2^(width/2) median distances, and noise of 10^(noise/2).
type place struct{ scale, family, width, noise int }

// The grid ends where, at a noise of its largest or smallest value, all or nothing of
// the targets is taken for noise, and at bandwidths beyond which kernels tend to a
// multiple of the unit matrix or to polynomials and splines.
const (
	leastWidth, mostWidth = -12, 8
	leastNoise, mostNoise = -18, 6
)

func (p place) multiple() float64 { return math.Ldexp(rootIf(p.width, math.Sqrt2), p.width>>1) }
func (p place) noiseLevel() float64 {
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

// allowed reports whether a place of a family lies on the grid.
func (f Family) allowed(p place) bool {
	return p.width >= leastWidth && p.width <= mostWidth && p.noise <= mostNoise && p.noise >= f.leastNoiseOf(p.width)
}

// edge reports whether a step further would leave the grid.
func (f Family) edge(p place) bool {
	return p.width == leastWidth || p.width == mostWidth || p.noise == mostNoise || p.noise == f.leastNoiseOf(p.width)
}
