// Package centres is the space that the kernel functions of chosen points span, and what
// is solved with its help: Centres are drawn by randomly pivoted Cholesky
// factorisation and have orthonormal functions e(x); a System is the matrix K + s²I of
// the rows of a fit, with a preconditioner of what the centres know of it; and Conjugate
// solves it by preconditioned conjugate gradients.
package centres
