// Package compute implements the numerical kernels of this module: matrix products,
// kernel matrices, random Fourier features, elementwise functions and normal random
// numbers.
//
// Each inner loop has three implementations: assembly for AVX-512, assembly for
// AVX2 with FMA, and portable Go. All three produce the same bits, except for the
// payload of a NaN. To guarantee this,
//
//   - each sum has a fixed order that does not depend on the register width, the
//     block sizes or the number of goroutines;
//   - each multiply-add is fused;
//   - the code avoids functions of package math that vary by processor.
//
// A sum over an inner size k is split into panels of 256 terms. Each panel is one
// chain of fused multiply-adds, and the panels are added in order.
//
// The package selects the fastest implementation at start. The environment variable
// RKHS_COMPUTE = avx512, avx2 or go overrides it; an unsupported value has no effect.
// The build tag purego excludes the assembly.
//
// Matrices are row-major blas64.General or blas32.General values. Data must be
// finite; the package does not check it. Mismatched sizes cause a panic. The
// argument workers bounds the number of goroutines of a call; zero or a negative
// value means GOMAXPROCS. Small calls use one goroutine. Results do not depend on
// workers.
package compute

//go:generate go -C gen run . -dir ..
