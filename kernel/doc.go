// Package kernel holds kernels as small values, their algebra, and the operations
// that learners need of them: Gram matrix, cross matrix, diagonal, and product.
package kernel
