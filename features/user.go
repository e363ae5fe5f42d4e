package features

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/kernel"
)

// Spectral is a kernel k(x, z) = k(0, 0)·E[cos <w, x−z>] that gives the
// distribution of its frequencies w, as a function of uniform numbers, so that
// every sampler serves for it but Orthogonal and Fastfood. A kernel of this
// package's own table need not be one.
type Spectral interface {
	kernel.Kernel
	// FrequencyUniforms returns how many numbers of (0, 1) make one frequency in
	// R^d.
	FrequencyUniforms(d int) int
	// Frequencies sets the rows of w, m×d, to the frequencies that the rows of u
	// make. It may overwrite u.
	Frequencies(w, u blas64.General)
}

// Maker is a kernel that draws whole blocks of features by itself. It takes
// precedence over Spectral and over what this package knows.
type Maker interface {
	kernel.Kernel
	// FeatureBlock returns a block of the given number of columns for points of
	// length d, drawn from seed alone, which is another one for each block.
	FeatureBlock(seed uint64, d, columns int) Block
}

// ofUser is the spectrum of a Spectral.
type ofUser struct {
	k Spectral
	d int
}

func (p ofUser) uniforms() int                 { return p.k.FrequencyUniforms(p.d) }
func (p ofUser) isotropic() bool               { return false }
func (p ofUser) transform(w, u blas64.General) { p.k.Frequencies(w, u) }

func (p ofUser) draw(w blas64.General, _ Sampler, s *source, _ int) {
	u, memory := borrowMatrix(w.Rows, p.uniforms())
	defer giveBack(memory)
	uniformPoints(u.Data, s)
	p.k.Frequencies(w, u)
}

// made is the basis of a Maker.
type made struct {
	of   Maker
	d, n int
}

func (m made) columns() int { return m.n }

func (m made) draw(s *source, _ int) Block { return m.of.FeatureBlock(s.word(), m.d, m.n) }
