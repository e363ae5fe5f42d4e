// Package blocks holds functions of random features,
//
//	f(x) = Σ_b φ_b(x)·A_b,   E[<φ_b(x), φ_b(z)>] = k(x, z),
//
// sums over blocks b of features that are drawn from a seed, used, and drawn again where
// they are needed. A Function is evaluated, grows, takes steps and is written to a
// file; an Average is the mean of its iterates; a Cache keeps what was drawn; a Design
// is the features of one block at all rows of a fit, and Normal its normal equations.
package blocks
