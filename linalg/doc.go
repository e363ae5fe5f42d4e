// Package linalg holds the factorisations that follow a kernel problem while it
// changes by one row or column at a time, and the centring of Gram matrices.
//
// [Cholesky] is for a set of points that come and go: the factor of their Gram
// matrix, with points appended one by one or in batches and deleted anywhere, in
// O(n²) instead of the O(n³) of starting again. It solves, refuses points that
// the others span already, and can track the diagonal of the inverse, which says
// what each point is worth. It does not degrade: after any number of updates it
// is the factor of the present matrix to rounding, near-duplicate points
// included. An inverse that is kept explicitly has not this property.
//
// [Woodbury] is for a set of columns with weights that change one at a time: the
// inverse (D⁻¹ + P/lam)⁻¹ on the columns of positive weight. It gives products
// with the inverse and its columns without any solve, which is what coordinate
// descent over the weights needs at every step, and pays for it with rounding
// errors that accumulate: it reports them ([Woodbury.Drift]) and removes them
// ([Woodbury.Refactor]).
//
// [CentreGram], [Centring] and [CentreColumns] move the origin of a feature space
// into the mean of the data.
//
// For one factorisation of one matrix use gonum's mat.Cholesky.
//
// Matrices are row-major blas64.General values of any stride. As in gonum,
// arguments whose lengths do not match, and indices out of range, panic, before
// anything is changed. An argument workers bounds the goroutines of a call; zero
// and negative values mean GOMAXPROCS, and results do not depend on it. Data is
// taken to be finite.
package linalg
