// Package features turns kernels into explicit features: maps φ of a point to
// finitely many numbers with
//
//	E[<φ(x), φ(z)>] = k(x, z),
//
// so that a linear method on φ(x) is a kernel method whose cost grows with the
// number of points and not with its square.
//
// # When to use it
//
// Where there are too many points for their Gram matrix: above some ten thousand.
// Random features do not depend on the data, can be drawn one after the other
// without end, and are regenerated from a seed rather than stored; their error
// falls as 1/√m in the number m of features. Nystroem takes its features from the
// data and needs fewer where the kernel is smooth at the scale of the data; it has
// to be stored, and ends at as many features as there are points. Below ten
// thousand points use the kernel itself.
//
// # Blocks
//
// A Map is an endless sequence of features cut into blocks. A Block is drawn from
// the seed and its number alone: learners ask for block after block, drop them, and
// draw them again with the same bits. Each block is an unbiased estimate of the
// kernel by itself, and so is the average over any number of blocks; features of B
// blocks side by side are scaled by 1/√B. A Transformer wraps one block for data of
// any kind, checks it, and is all that is needed where a matrix of features is what
// is wanted.
//
// # Kernels
//
// All kernels of package kernel have features; these are their families:
//
//	Gaussian, Matern, RationalQuadratic    [cos Wx, sin Wx]/√m, rows of W normal, or normal
//	                                       divided by the root of a gamma variate, or times it
//	Laplacian, Cauchy, Dirichlet           the same, w_i Cauchy, Laplace, or one of −σ, 0, σ
//	SkewedChiSquared, SkewedIntersection   the same of log(x+C), w_i hyperbolic secant, Cauchy
//	AdditiveChiSquared, Intersection,      √(d·x_c/m)·[cos, sin](w·log x_c), c a random column;
//	JensenShannon                          also Sampled, without randomness
//	ExponentialSemigroup,                  exp(−<w, x>)/√m, w_i Lévy or exponential
//	ReciprocalSemigroup
//	ArcCosine                              √(2/m)·[w·x > 0]·(w·x)ⁿ, w normal
//	DotProduct                             monomials: products of <s, x>, s random signs
//	Polynomial                             TensorSketch
//	Linear, Hellinger, LowRank             exactly, by x, √x, or one column a point, where a
//	                                       block has columns enough; else through random signs
//
// A kernel is multiplied out into a sum of products of factors (kernel.Products). ARD
// divides the columns of x first, Projected maps and OneHot encodes them, and Scale multiplies features by √By. A sum has the
// features of its products side by side: exact ones take the columns they need, if
// that is no more than an equal share, and what is left is split equally. In a
// product, each feature is a product of one of each factor; of kernels of x−z the
// frequencies add up, which costs no more than one of them. The features of
// DotProduct, Polynomial and ArcCosine of order 1 and 2 are not bounded: their errors
// grow with the length of x; bring rows to length 1.
//
// # Your own kernel
//
// Nothing above depends on the type of a kernel, but on what its method Representation
// says (kernel.Represented): the family of a factor, what points go through before it,
// and the distribution of its frequencies as a function of uniform numbers. A kernel of
// your own that has the method has all samplers, in sums and products too; Blocks is
// the family of one that draws its features by itself. A type that embeds a kernel has
// its features, to the bit, and is refused if it gives Eval anew and means another
// function by it. Without a representation, use Nystroem, which takes any kernel.
//
// # Samplers
//
// Frequencies need not be independent. Auto takes points of a scrambled Sobol
// sequence, or for kernels of the distance in many columns orthogonal ones. The
// error of 1024 frequencies of a Gaussian with Sigma = √d, at pairs of normal
// points, as the tests of this package measure it:
//
//	d =           2      16     50
//	Independent   .0150  .0188  .0190
//	Orthogonal    .0129  .0107  .0103
//	Fastfood      .0146  .0229  .0242
//	Sobol         .0008  .0098  .0113
//	Halton        .0018  .0131  .0427
//
// Where the points are many bandwidths apart, all are alike. Fastfood is for speed
// in many columns. Options.Leverage adapts the frequencies to data.
//
// # Bits
//
// Features are part of the files of models: a file holds kernel, seed and
// coefficients. Blocks are therefore the same bits on every processor, for any number
// of workers, and for a row whatever rows stand beside it. All that is drawn comes
// from counters of (seed, block, sequence) through functions that are computed
// alike everywhere, not those of package math; products are only fused with sums
// where that is said. What a kernel of the user computes, and the kernel values
// behind Nystroem and LowRank for kernels that use package math, are as
// reproducible as these are.
package features
