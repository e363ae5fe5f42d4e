package features

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// A distribution is a kernel.Distribution on R^d that samplers draw from.
type distribution interface {
	// uniforms returns the number of uniform numbers for one vector.
	uniforms() int
	// fromUniforms maps the rows of u to rows of w, both without gaps. It may overwrite u.
	fromUniforms(w, u compute.Matrix)
	// orthogonal reports whether draw supports Orthogonal.
	orthogonal() bool
	// draw fills w with Independent or Orthogonal vectors.
	draw(w compute.Matrix, how Sampler, s *source, workers int)
}

func newDistribution(of kernel.Distribution, d int) distribution {
	if of, ok := of.(kernel.Isotropic); ok {
		return isotropic{of, d}
	}
	return transformed{of, d}
}

// drawFrom fills w by the given sampler.
func drawFrom(w compute.Matrix, of distribution, how Sampler, s *source, workers int) {
	if how == Sobol || how == Halton {
		u := compute.NewMatrix(w.Rows, of.uniforms())
		quasiRandom(u, how, s)
		of.fromUniforms(w, u)
		return
	}
	of.draw(w, how, s, workers)
}

// transformed is the distribution of a function of uniform numbers.
type transformed struct {
	of kernel.Distribution
	d  int
}

func (p transformed) uniforms() int                    { return p.of.Uniforms(p.d) }
func (p transformed) fromUniforms(w, u compute.Matrix) { p.of.FromUniforms(w.Data, u.Data, p.d) }
func (p transformed) orthogonal() bool                 { return false }

func (p transformed) draw(w compute.Matrix, _ Sampler, s *source, _ int) {
	u, memory := allocateMatrix(w.Rows, p.uniforms())
	defer release(memory)
	uniformPoints(u.Data, s)
	p.of.FromUniforms(w.Data, u.Data, p.d)
}

// isotropic is the distribution of normal vectors times random radii.
type isotropic struct {
	of kernel.Isotropic
	d  int
}

func standardNormal(d int) isotropic { return isotropic{kernel.Isotropic{Scale: 1}, d} }

func (p isotropic) uniforms() int                    { return p.of.Uniforms(p.d) }
func (p isotropic) fromUniforms(w, u compute.Matrix) { p.of.FromUniforms(w.Data, u.Data, p.d) }
func (p isotropic) orthogonal() bool                 { return true }

func (p isotropic) draw(w compute.Matrix, how Sampler, s *source, workers int) {
	if how == Orthogonal {
		orthogonalNormals(w, s, workers)
	} else {
		compute.Normals(w.Data, s.next(), 0)
	}
	for i, r := range p.radii(w.Rows, s) {
		floats.Scale(r, compute.Row(w, i))
	}
}

// radii draws n factors of normal vectors.
func (p isotropic) radii(n int, s *source) []float64 {
	r := make([]float64, n)
	if p.of.Mixing != nil {
		uniformPoints(r, s)
	}
	p.of.Radii(r)
	return r
}

// divided is the distribution of w/scales, the frequencies of a kernel of x/scales.
type divided struct {
	distribution
	scales []float64
}

func (p divided) fromUniforms(w, u compute.Matrix) {
	p.distribution.fromUniforms(w, u)
	p.divide(w)
}

func (p divided) draw(w compute.Matrix, how Sampler, s *source, workers int) {
	p.distribution.draw(w, how, s, workers)
	p.divide(w)
}

func (p divided) divide(w compute.Matrix) {
	for i := range w.Rows {
		floats.Div(compute.Row(w, i), p.scales)
	}
}

// convolution is the distribution of the sum of independent vectors, one from each distribution. It is
// the spectral density of a product of kernels.
type convolution []distribution

func (c convolution) uniforms() int {
	n := 0
	for _, p := range c {
		n += p.uniforms()
	}
	return n
}

func (c convolution) orthogonal() bool {
	for _, p := range c {
		if !p.orthogonal() {
			return false
		}
	}
	return true
}

func (c convolution) fromUniforms(w, u compute.Matrix) {
	at := 0
	c.sum(w, func(w compute.Matrix, p distribution) {
		n := p.uniforms()
		p.fromUniforms(w, compute.Clone(compute.Columns(u, at, at+n)))
		at += n
	})
}

func (c convolution) draw(w compute.Matrix, how Sampler, s *source, workers int) {
	c.sum(w, func(w compute.Matrix, p distribution) { p.draw(w, how, s, workers) })
}

func (c convolution) sum(w compute.Matrix, fill func(w compute.Matrix, p distribution)) {
	summand := compute.NewMatrix(w.Rows, w.Cols)
	for i, p := range c {
		if i == 0 {
			fill(w, p)
			continue
		}
		fill(summand, p)
		floats.Add(w.Data, summand.Data)
	}
}
