// Package svm trains soft-margin support vector machines. For rows x_i with labels y_i = ±1 it
// minimises
//
//	‖f‖²/2 + Σ_i C_i·max(0, 1 − y_i·(f(x_i) + b))
//
// over functions f of the space of a kernel and constants b. The solution is
// f(x) = Σ_i β_i·k(x_i, x), where β maximises the dual
//
//	Σ_i y_i·β_i − ½·Σ_ij β_i·β_j·k(x_i, x_j),   Σ_i β_i = 0,   0 ≤ y_i·β_i ≤ C_i.
//
// LIBSVM calls y_i·β_i alpha_i. Callers validate the rows and the kernel.
//
// # Method
//
// The solver optimises working sets of 512 variables that violate the optimality conditions
// most. It divides each into working sets of 128, and optimises pairs of variables in these. It
// selects the pairs by second-order information (Fan, Chen and Lin, "Working set selection using
// second order information for training support vector machines", JMLR 6, 2005, WSS 2). Kernel
// values are computed in blocks of rows, and a step on a pair needs no pass over the data.
// Shrinking removes variables that remain at a bound. The solver updates their residuals before
// it accepts a solution. The time grows between n² and n³.
//
// Solution.Gap certifies a solution. The violation of the conditions does not bound it: at a
// large C a small violation costs much.
//
// Kernel values have double precision. LIBSVM rounds them to single precision, which moves the
// objective on a9a at C = 100 by more than a millionth.
package svm
