// Package kernel provides kernels and their algebra, the Gram matrix, the matrix between two sets of points, its
// diagonal, and its product with a matrix.
//
// # Selecting a kernel
//
// A kernel is a small value that prints as the expression that creates it:
//
//	k := kernel.Gaussian{Sigma: 1.5}
//
// For points of R^d with columns on one scale, start with [Gaussian] and Sigma = [MedianDistance]. [Matern] and [Laplacian]
// suit functions that are less smooth, and [RationalQuadratic] functions that vary on several scales. [Polynomial],
// [DotProduct], [ArcCosine] and [Linear] depend on the origin and on directions. [Dirichlet] is for periodic functions.
// AdditiveChiSquared, JensenShannon, Intersection, Hellinger, the skewed kernels and the semigroup kernels are for
// histograms and counts. Data outside of the domain of a kernel is an error.
//
// Kernels combine: [Sum], [Product] and [Scale] are kernels. [ARD] divides each column by its own scale, [Projected]
// maps rows by a matrix, [OneHot] encodes categories as indicators, and [Warped] applies a monotone function to each
// column, such as a logarithm. Package slkl fits [LowRank]. A point is a row of numbers; kernels of strings or graphs
// are out of scope.
//
// A learner without a given kernel searches for one. Its report has a [SearchResult], which lists each compared [Trial].
// The selected kernel may be wrapped in ARD, Projected, OneHot or Warped, so that it accepts the original rows. The
// option [Metric] of most learners limits the search to some of these maps.
//
// # Computing
//
// [Gram], [Cross], [Diag] and [Mul] accept any mat.Matrix, one point per row, and check it. Blocks of rows run in parallel, and
// the results are the same bits for any number of processors. Mul gives K·W without storing K. Kernels of the squared
// distance or of the inner product cost one matrix product and a function of each of its elements. Other kernels cost a
// loop over the coordinates for each value. The terms of a Sum that are functions of the squared distance share it.
//
// Squared distances are accurate even if the points are far from the origin compared with their distances. Inner
// products are not, so center the points for kernels of the inner product.
//
// # User-defined kernels
//
// A type with the method Eval is a kernel and works everywhere. Optional interfaces make it faster ([Radial],
// [InnerProduct]), check data and parameters ([Domain], [Validator]), define random features ([Represented])
// and allow the learning of its parameters ([Parametric], [ScaleDifferentiable]). Call [Register] to save
// models with it.
//
// # Functions and files
//
// [Expansion] is a function of the space of a kernel, f(x) = Σ_j k(x, p_j)·w_j, as learners fit it. Functions can be added
// and saved, and have a norm and a distance. [Marshal] and [Unmarshal] convert kernels and their combinations to files and
// back, bit for bit.
package kernel
