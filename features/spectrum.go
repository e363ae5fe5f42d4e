package features

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// A spectrum is a probability distribution of frequencies w on R^d, one that is
// symmetric about zero: that whose Fourier transform E[cos <w, x−z>] is a kernel
// of x − z (Bochner's theorem).
type spectrum interface {
	// uniforms returns how many numbers of (0, 1) make one frequency.
	uniforms() int
	// transform makes the rows of w from those of u, which it may overwrite.
	transform(w, u compute.Matrix)
	// isotropic tells that draw takes Orthogonal.
	isotropic() bool
	// draw fills w with frequencies that are Independent or Orthogonal.
	draw(w compute.Matrix, how Sampler, s *source, workers int)
}

// frequencies fills w by the given sampler.
func frequencies(w compute.Matrix, of spectrum, how Sampler, s *source, workers int) {
	if how == Sobol || how == Halton {
		u := compute.NewMatrix(w.Rows, of.uniforms())
		quasiRandom(u, how, s)
		of.transform(w, u)
		return
	}
	of.draw(w, how, s, workers)
}

// quasiRandom fills u with points of low discrepancy in random order, so that
// those of two factors of a product are matched at random.
func quasiRandom(u compute.Matrix, how Sampler, s *source) {
	order := permutation(u.Rows, s)
	if how == Sobol {
		sobolPoints(u, order, s)
	} else {
		haltonPoints(u, order, s)
	}
}

// uniformPoints fills u with independent numbers of (0, 1).
func uniformPoints(u []float64, s *source) {
	compute.Uniforms(u, s.next(), 0)
	for i, v := range u {
		u[i] = max(v, leastUniform)
	}
}

// marginals is the spectrum of independent coordinates of one distribution.
type marginals struct {
	d        int
	quantile quantile
	factor   float64
}

func (m marginals) uniforms() int   { return m.d }
func (m marginals) isotropic() bool { return false }

func (m marginals) transform(w, u compute.Matrix) {
	for i := range w.Rows {
		copy(rowOf(w, i), rowOf(u, i))
	}
	m.quantile(w.Data)
	floats.Scale(m.factor, w.Data)
}

func (m marginals) draw(w compute.Matrix, _ Sampler, s *source, _ int) {
	uniformPoints(w.Data, s)
	m.quantile(w.Data)
	floats.Scale(m.factor, w.Data)
}

// A mixture is the spectrum of w = factor·g/√v with g standard normal and v drawn
// on its own: that of kernels of the distance alone. Without a quantile v is 1.
type mixture struct {
	d       int
	factor  float64
	mixing  quantile // of v
	divides bool     // or w = factor·g·√v
}

func (m mixture) isotropic() bool { return true }

func (m mixture) uniforms() int {
	if m.mixing == nil {
		return m.d
	}
	return m.d + 1
}

func (m mixture) transform(w, u compute.Matrix) {
	for i := range w.Rows {
		copy(rowOf(w, i), rowOf(u, i))
	}
	normalQuantile(w.Data)
	v := make([]float64, w.Rows)
	if m.mixing != nil {
		for i := range v {
			v[i] = rowOf(u, i)[m.d]
		}
	}
	m.scaleRows(w, v)
}

func (m mixture) draw(w compute.Matrix, how Sampler, s *source, workers int) {
	if how == Orthogonal {
		orthogonalNormals(w, s, workers)
	} else {
		compute.Normals(w.Data, s.next(), 0)
	}
	m.scaleRows(w, m.drawMixing(w.Rows, s))
}

func (m mixture) drawMixing(n int, s *source) []float64 {
	u := make([]float64, n)
	if m.mixing != nil {
		uniformPoints(u, s)
	}
	return u
}

// scaleRows turns standard normals into frequencies, given the uniforms of v.
func (m mixture) scaleRows(w compute.Matrix, u []float64) {
	for i, f := range m.scales(u) {
		floats.Scale(f, rowOf(w, i))
	}
}

// largestScale keeps angles finite where the kernel is next to zero but on its
// diagonal.
const largestScale = 1e150

// scales replaces the uniforms of v by what multiplies g.
func (m mixture) scales(u []float64) []float64 {
	if m.mixing != nil {
		m.mixing(u)
	}
	for i, v := range u {
		switch {
		case m.mixing == nil:
			u[i] = m.factor
		case m.divides:
			u[i] = min(m.factor/math.Sqrt(v), largestScale)
		default:
			u[i] = m.factor * math.Sqrt(v)
		}
	}
	return u
}

// divided is the spectrum of a kernel of x/scales.
type divided struct {
	spectrum
	scales []float64
}

func (p divided) isotropic() bool { return p.spectrum.isotropic() }

func (p divided) transform(w, u compute.Matrix) {
	p.spectrum.transform(w, u)
	p.divide(w)
}

func (p divided) draw(w compute.Matrix, how Sampler, s *source, workers int) {
	p.spectrum.draw(w, how, s, workers)
	p.divide(w)
}

func (p divided) divide(w compute.Matrix) {
	for i := range w.Rows {
		floats.Div(rowOf(w, i), p.scales)
	}
}

// combined is the spectrum of a product of kernels: that of the sum of
// independent frequencies, one of each factor.
type combined []spectrum

func (c combined) uniforms() int {
	n := 0
	for _, p := range c {
		n += p.uniforms()
	}
	return n
}

func (c combined) isotropic() bool {
	for _, p := range c {
		if !p.isotropic() {
			return false
		}
	}
	return true
}

func (c combined) transform(w, u compute.Matrix) {
	at := 0
	c.sum(w, func(part compute.Matrix, p spectrum) {
		n := p.uniforms()
		p.transform(part, columnsOf(u, at, at+n))
		at += n
	})
}

func (c combined) draw(w compute.Matrix, how Sampler, s *source, workers int) {
	c.sum(w, func(part compute.Matrix, p spectrum) { p.draw(part, how, s, workers) })
}

func (c combined) sum(w compute.Matrix, fill func(part compute.Matrix, p spectrum)) {
	part := compute.NewMatrix(w.Rows, w.Cols)
	for i, p := range c {
		if i == 0 {
			fill(w, p)
			continue
		}
		fill(part, p)
		floats.Add(w.Data, part.Data)
	}
}
