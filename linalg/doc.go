// Package linalg provides factorizations that are updated by one row or column at a time, and the
// centring of Gram matrices. For a single factorization use gonum's mat.Cholesky.
//
// [Cholesky] is the factor of the Gram matrix of a changing set of points. It appends points, one by
// one or in batches, and deletes any point, in O(n²) instead of the O(n³) of a new factorization. It
// solves, rejects points in the span of the other points, and can track the diagonal of the inverse.
// After any number of updates it is exact to rounding, even with near-duplicate points. An explicit
// inverse is not.
//
// [Woodbury] is the explicit inverse (D⁻¹ + P/lam)⁻¹ for columns with positive weights that change
// one at a time. It gives products with the inverse and its columns without a solve, as coordinate
// descent over the weights needs in each step. Rounding errors accumulate: [Woodbury.Drift] measures
// them and [Woodbury.Refactor] removes them.
//
// [CentreGram], [Centring] and [CentreColumns] move the origin of a feature space to the mean of the
// data.
//
// Matrices have finite elements and may be slices of larger matrices. As in gonum, arguments with the
// wrong length and indices out of range panic before any change. The argument workers limits the
// goroutines of a call; zero and negative values select GOMAXPROCS. Results do not depend on it.
package linalg
