// Package features approximates kernels by explicit random features: maps φ with
// E[<φ(x), φ(z)>] = k(x, z), so that a linear method on φ(x) is a kernel method
// whose cost does not grow with the square of the number of points.
package features
