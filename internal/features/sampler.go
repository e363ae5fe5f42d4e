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

// Sampler is the way in which the parameters of a block are drawn. All of them
// are unbiased, and every block is drawn afresh, so that errors of blocks average
// out whatever the sampler. The numbers of the constants are part of files of
// models.
type Sampler uint8

const (
	// Auto chooses for each kernel what has the least error on the whole: Sobol where
	// it can be had, but for Gaussian, Matern, RationalQuadratic and ArcCosine in
	// more than 16 columns Orthogonal; and Independent for all else, as for kernels of
	// x − z in more than 16384 columns, whose frequencies are drawn for those columns alone
	// that rows have.
	Auto Sampler = iota
	// Independent draws each feature by itself (Rahimi and Recht, "Random features
	// for large-scale kernel machines", NIPS 2007). For every kernel.
	Independent
	// Orthogonal draws frequencies that are orthogonal to each other in groups of
	// d (Yu, Suresh, Choromanski, Holtmann-Rice and Kumar, "Orthogonal random
	// features", NIPS 2016). For Gaussian, Matern, RationalQuadratic and ArcCosine.
	Orthogonal
	// Fastfood draws structured frequencies whose product with a row costs
	// O(m·log d) in place of O(m·d), and which take O(m) memory; the error is
	// somewhat above that of Independent (Le, Sarlós and Smola, "Fastfood:
	// approximating kernel expansions in loglinear time", ICML 2013). For
	// Gaussian, Matern and RationalQuadratic.
	Fastfood
	// Sobol takes frequencies from a scrambled Sobol sequence. The gain is large in
	// few dimensions. For kernels drawn from at most 256 uniform numbers a feature:
	// one for each column of x, and one more for Matern and RationalQuadratic; best
	// where Columns is a power of two. The additive kernels of histograms, which take
	// one number a feature, have strata of equal probability for it and for Halton.
	Sobol
	// Halton takes frequencies from a shifted Halton sequence. In 50 columns
	// it is worse than Independent.
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

// sobolColumns is the number of columns of x up to which Sobol has less error than
// Orthogonal, where both can be had.
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

// resolveUnpaired is resolve for features that are no cosines and sines.
func (s Sampler) resolveUnpaired(k kernel.Kernel, of distribution, d int) (Sampler, error) {
	if s == Fastfood {
		return s, s.unfit(k, "its features are no cosines")
	}
	return s.resolve(k, of, d)
}

// independently returns an error for what no features that are drawn independently
// can have.
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

// A source hands out the random sequences of one block, each to be used once.
// What is drawn in the same order gets the same sequences: the order of draws is
// part of the file format of models.
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

// permutation returns one of 0 … n−1, all equally likely, by the shuffle of
// Fisher and Yates.
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
