package features

import "github.com/rkhs-go/rkhs/internal/features"

// Sampler selects how the parameters of a block are drawn. All samplers are unbiased. Every block is
// drawn afresh, so errors of blocks average out. The numbers of the constants are part of model files.
type Sampler uint8

const (
	// Auto selects Sobol if the kernel allows it, except for Gaussian, Matern,
	// RationalQuadratic and ArcCosine in more than 16 columns, where it selects
	// Orthogonal. Otherwise it selects Independent. It also selects Independent for
	// kernels of x − z in more than 16384 columns: the map then draws frequencies only for
	// the columns that occur in the rows.
	Auto = Sampler(features.Auto)
	// Independent draws each feature by itself. It serves every kernel. Source: Rahimi and
	// Recht, "Random features for large-scale kernel machines", NIPS 2007.
	Independent = Sampler(features.Independent)
	// Orthogonal draws frequencies that are orthogonal to each other in groups of d, for
	// Gaussian, Matern, RationalQuadratic and ArcCosine. Source: Yu, Suresh, Choromanski,
	// Holtmann-Rice and Kumar, "Orthogonal random features", NIPS 2016.
	Orthogonal = Sampler(features.Orthogonal)
	// Fastfood draws structured frequencies, for Gaussian, Matern and RationalQuadratic.
	// Their product with a row costs O(m·log d) instead of O(m·d) and needs O(m) memory. The
	// error is somewhat larger than with Independent. Source: Le, Sarlós and Smola,
	// "Fastfood: approximating kernel expansions in loglinear time", ICML 2013.
	Fastfood = Sampler(features.Fastfood)
	// Sobol uses points of a scrambled Sobol sequence, which gains much in few dimensions. It
	// serves kernels drawn from at most 256 uniform numbers a feature: one for each column of
	// x, and one more for Matern and RationalQuadratic. Columns should be a power of two. The
	// additive kernels of histograms use strata of equal probability.
	Sobol = Sampler(features.Sobol)
	// Halton uses points of a shifted Halton sequence. In 50 columns it is worse than
	// Independent.
	Halton = Sampler(features.Halton)
)

// String returns the name of the constant.
func (s Sampler) String() string { return features.Sampler(s).String() }
