// Package features turns kernels into explicit features: maps φ of a point to finitely many numbers with
//
//	E[<φ(x), φ(z)>] = k(x, z),
//
// A linear method on φ(x) is then a kernel method with a cost that grows with the number of points, not
// with its square.
//
// # When to use it
//
// Use features for more points than a Gram matrix can hold, above some ten thousand. Random features do not
// depend on the data. Their number is unlimited, and a seed replaces their storage. Their error falls as
// 1/√m in the number m of features. [Nystroem] computes its features from the data and needs fewer if the
// kernel is smooth at the scale of the data. It must be stored, and has at most as many features as points.
// Below ten thousand points use the kernel itself.
//
// # Blocks
//
// A [Map] is an endless sequence of features cut into blocks. A block depends only on the seed and its
// number. Learners draw block after block, drop them, and draw them again with the same bits. Each block is
// an unbiased estimate of the kernel, and the mean over several blocks is also unbiased. The joint features
// of B blocks have the factor 1/√B. A [Transformer] computes one block.
//
// # Kernels
//
// All kernels of package kernel have features. These are their families:
//
//	Gaussian, Matern, RationalQuadratic    [cos Wx, sin Wx]/√m, rows of W normal, or normal
//	                                       divided or multiplied by the root of a gamma variate
//	Laplacian, Cauchy, Dirichlet           the same, w_i Cauchy, Laplace, or one of −σ, 0, σ
//	SkewedChiSquared, SkewedIntersection   the same of log(x+C), w_i hyperbolic secant, Cauchy
//	AdditiveChiSquared, Intersection,      √(d·x_c/m)·[cos, sin](w·log x_c), c a random column;
//	JensenShannon                          also Sampled, without randomness
//	ExponentialSemigroup,                  exp(−<w, x>)/√m, w_i Lévy or exponential
//	ReciprocalSemigroup
//	ArcCosine                              √(2/m)·[w·x > 0]·(w·x)ⁿ, w normal
//	DotProduct                             monomials: products of <s, x>, s random signs
//	Polynomial                             TensorSketch
//	Linear, Hellinger, LowRank             exact: x, √x, or one column a point, if a block has
//	                                       enough columns; otherwise random signs
//
// [New] multiplies a kernel out into a sum of products. ARD divides the columns of x first, Projected
// maps the rows, OneHot encodes and Warped warps the columns, and Scale multiplies features by √By. A sum
// concatenates the features of its products. Exact features get the columns they need, up to an equal
// share. The other products share the remaining columns equally. In a product each feature is a product
// of one feature of each factor; the frequencies of kernels of x−z add up, at the cost of one of them.
// The features of DotProduct, Polynomial and ArcCosine of order 1 and 2 are unbounded, and their errors
// increase with the length of x. Scale rows to length 1.
//
// # Your own kernel
//
// The method Representation of a kernel ([kernel.Represented]) describes its features. It has the family
// of each factor, the embedding of the points, and the distribution of frequencies as a function of
// uniform numbers. A user-defined kernel with this method has all samplers, also in sums and products. A
// type that embeds a kernel has its features, to the bit; New returns an error if the type redefines Eval
// as another function. Without a representation, use Nystroem, which serves any kernel.
//
// # Samplers
//
// Frequencies need not be independent. [Auto] uses points of a scrambled Sobol sequence, or orthogonal
// frequencies for kernels of the distance in many columns. This is the error of 1024 frequencies of a
// Gaussian with Sigma = √d at pairs of normal points, as the tests measure it:
//
//	d =           2      16     50
//	Independent   .0150  .0188  .0190
//	Orthogonal    .0129  .0107  .0103
//	Fastfood      .0146  .0229  .0242
//	Sobol         .0008  .0098  .0113
//	Halton        .0018  .0131  .0427
//
// At points many bandwidths from each other, all samplers are equally accurate. Fastfood is for speed in
// many columns. Options.Leverage adapts the frequencies to data.
//
// # Bits
//
// Features are part of model files: a file holds the kernel, the seed and the coefficients. A block
// therefore has the same bits on every processor and for any number of workers, and the features of a row
// do not depend on other rows. All numbers are drawn from counters of (seed, block, sequence) by functions
// that do not use package math. User-defined kernels, and kernels that use package math behind Nystroem
// and LowRank, are as reproducible as their own functions.
package features
