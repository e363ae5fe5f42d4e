// Package kernel holds kernels, their algebra, and what learners need of them:
// the Gram matrix, the matrix between two sets of points, its diagonal, and its
// product with a matrix.
//
// # Choosing a kernel
//
// A kernel is a small value:
//
//	k := kernel.Gaussian{Sigma: 1.5}
//
// and prints as the expression that creates it. For points of R^d whose columns
// have been brought to one scale, begin with Gaussian and Sigma = MedianDistance;
// Matern and Laplacian suit functions that are less smooth, RationalQuadratic
// those that vary on several scales. Polynomial, DotProduct, ArcCosine and Linear
// depend on the origin and on directions. For histograms and counts there are
// AdditiveChiSquared, JensenShannon, Intersection and Hellinger, the skewed
// kernels and the semigroup kernels; they are defined for some values only, and
// data outside of their domain is an error. Dirichlet is for periodic functions.
//
// Kernels combine: Sum, Product and Scale are kernels, and ARD gives each column a
// scale of its own; Projected maps rows by a matrix, and OneHot puts indicators in the
// place of codes of categories. LowRank is the kernel that package slkl learns. Other kinds
// of objects, such as strings or graphs, have no place here: a point is a row of
// numbers.
//
// # Computing
//
// Gram, Cross, Diag and Mul take any mat.Matrix, one point a row, and check it.
// The work is cut into blocks of rows that run in parallel, and the results are
// the same bits for any number of processors. Mul gives K·W and never holds K, so
// its memory does not grow with the number of points; for Gram and Cross it is the
// result that grows. Kernels of the squared distance or of the inner product cost
// one matrix product and a function of each of its elements, all others a loop
// over the coordinates for each value. The terms of a Sum that are functions of
// the squared distance share one computation of it.
//
// Squared distances keep their digits also where the points lie far from the
// origin compared with their distances; inner products do not, so centre the
// points for kernels of the inner product.
//
// # Your own kernel
//
// A type with the method Eval is a kernel and works everywhere. The other interfaces
// of this package make it faster (Radial, InnerProduct), safer (Domain, Validator),
// give it random features (Represented) or let its parameters be learned
// (Parametric, ScaleDifferentiable). Register lets it be saved. A type that embeds a kernel of this package is that kernel under another
// name; one that is another kernel holds it in a named field.
//
// # Functions
//
// Expansion is a function of the space of a kernel, f(x) = Σ_j k(x, p_j)·w_j, as the
// learners find it: functions add up, have a norm and a distance, and can be saved.
//
// # Saving
//
// Marshal and Unmarshal turn kernels and all their combinations into files and
// back, bit for bit.
package kernel
