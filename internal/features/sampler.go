package features

import (
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/quantile"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// Sampler is the method that draws the parameters of a block. All samplers are unbiased, and blocks are
// independent, so errors average out over blocks. Model files contain the values of the constants.
type Sampler uint8

const (
	// Auto is Orthogonal for Gaussian, Matern, RationalQuadratic and ArcCosine in more than 16
	// columns, otherwise Sobol if it supports the kernel, otherwise Independent. Kernels of x − z in
	// more than 16384 columns are Independent.
	Auto Sampler = iota
	// Independent draws features independently (Rahimi and Recht, "Random features
	// for large-scale kernel machines", NIPS 2007). For every kernel.
	Independent
	// Orthogonal draws frequencies that are orthogonal within groups of d (Yu, Suresh, Choromanski,
	// Holtmann-Rice and Kumar, "Orthogonal random features", NIPS 2016). For Gaussian, Matern,
	// RationalQuadratic and ArcCosine.
	Orthogonal
	// Fastfood draws structured frequencies. Products cost O(m·log d) instead of O(m·d), with O(m)
	// memory. Errors are somewhat larger than with Independent (Le, Sarlós and Smola, "Fastfood:
	// approximating kernel expansions in loglinear time", ICML 2013). For Gaussian, Matern and
	// RationalQuadratic.
	Fastfood
	// Sobol uses a scrambled Sobol sequence, which reduces errors in few dimensions. For kernels with
	// at most 256 uniform numbers per feature: one for each column of x, and one more for Matern and
	// RationalQuadratic. It is best if Columns is a power of two. Additive kernels of histograms
	// use stratified numbers for it and for Halton.
	Sobol
	// Halton uses a shifted Halton sequence. In 50 columns it is worse than Independent.
	Halton
)

var samplerNames = [...]string{"Auto", "Independent", "Orthogonal", "Fastfood", "Sobol", "Halton"}

// String returns the name of the constant.
func (s Sampler) String() string {
	if int(s) < len(samplerNames) {
		return samplerNames[s]
	}
	return fmt.Sprintf("Sampler(%d)", uint8(s))
}

func (s Sampler) check() error {
	if int(s) >= len(samplerNames) {
		return fmt.Errorf("features: Sampler = %v is unknown: %w", s, rkhs.ErrOption)
	}
	return nil
}

// sobolColumns is the largest number of columns of x for which Sobol has smaller errors than Orthogonal.
const sobolColumns = 16

// resolve returns the sampler that draws from a distribution on R^d, or an error that
// names the kernel.
func (s Sampler) resolve(k kernel.Kernel, of distribution, d int) (Sampler, error) {
	switch s {
	case Auto:
		return automatic(of, d), nil
	case Orthogonal:
		if !of.orthogonal() {
			return s, s.unfit(k, "its frequencies have no direction that is uniform")
		}
	case Fastfood:
		if _, ok := of.(isotropic); !ok {
			return s, s.unfit(k, "it is not a kernel of the distance alone")
		}
	case Sobol:
		if n := of.uniforms(); n > sobolLimit {
			return s, s.unfit(k, fmt.Sprintf("it needs %d dimensions, and there are %d", n, sobolLimit))
		}
	}
	return s, nil
}

// resolveUnpaired is resolve for features other than cosines and sines.
func (s Sampler) resolveUnpaired(k kernel.Kernel, of distribution, d int) (Sampler, error) {
	if s == Fastfood {
		return s, s.unfit(k, "its features are no cosines")
	}
	return s.resolve(k, of, d)
}

// independently returns an error for samplers that do not apply to independent features.
func (s Sampler) independently(k kernel.Kernel) error {
	if s > Independent {
		return s.unfit(k, "its features are drawn independently")
	}
	return nil
}

func automatic(of distribution, d int) Sampler {
	switch {
	case d > wideColumns && drawsColumns(of):
		return Independent
	case of.orthogonal() && d > sobolColumns:
		return Orthogonal
	case of.uniforms() <= sobolLimit:
		return Sobol
	}
	return Independent
}

func (s Sampler) unfit(k kernel.Kernel, why string) error {
	return fmt.Errorf("features: Sampler = %v does not fit %v: %s: %w", s, k, why, rkhs.ErrOption)
}

// A source provides the random sequences of one block, each for one use. The order of draws determines
// the sequences and is thus part of the file format of models.
type source struct {
	seed   uint64
	stream uint32
}

func newSource(seed, block uint64) *source {
	return &source{seed: rng.Hash(seed, "features", block)}
}

func (s *source) next() compute.Address {
	s.stream++
	return compute.Address{Seed: s.seed, Stream: s.stream}
}

// word returns 64 random bits.
func (s *source) word() uint64 {
	at := s.next()
	return rng.Hash(at.Seed, "features of a kernel of the user", uint64(at.Stream))
}

// uniformPoints fills u with independent numbers of (0, 1).
func uniformPoints(u []float64, s *source) {
	compute.Uniforms(u, s.next(), 0)
	for i, v := range u {
		u[i] = max(v, quantile.Least)
	}
}

// randomSigns fills dst with 1 and −1.
func randomSigns(dst []float64, s *source) {
	compute.Uniforms(dst, s.next(), 0)
	for i, u := range dst {
		dst[i] = math.Copysign(1, u-0.5)
	}
}

// permutation returns a uniform random permutation of 0 … n−1 by the Fisher–Yates shuffle.
func permutation(n int, s *source) []int {
	u := make([]float64, n)
	compute.Uniforms(u, s.next(), 0)
	p := make([]int, n)
	for i := range p {
		j := int(u[i] * float64(i+1))
		p[i] = p[j]
		p[j] = i
	}
	return p
}
