// Package compute holds the operations in which this module spends its time:
// matrix products, blocks of kernel values and of random features, elementwise
// functions and random normals.
//
// Each inner loop exists three times: in assembly for AVX-512 and for AVX2 with
// FMA, and in Go for all other processors. The three give the same bits. Every
// sum has one fixed order that does not depend on the width of a register, on
// the blocks a matrix is cut into or on the number of goroutines; every product
// that is added is fused; and no elementary function of package math is used
// where its bits differ between processors. (A NaN is a NaN: its payload is not
// fixed.) Sums of products over an inner size k are taken as one chain of fused
// multiply-adds over each panel of 256 terms, panel by panel added in order.
//
// The fastest set of routines that the processor runs is chosen at start. The
// environment variable RKHS_COMPUTE = avx512, avx2 or go asks for one by name,
// and is ignored where the processor lacks it; the build tag purego leaves the
// assembly out.
//
// Matrices are row-major blas64.General or blas32.General values. Nothing here
// validates data: callers pass finite values and matching sizes; a mismatch of
// sizes panics. The argument workers bounds the goroutines of a call; zero and
// negative values mean GOMAXPROCS, and small calls use one. Results do not
// depend on it.
package compute

//go:generate go -C gen run . -dir ..
