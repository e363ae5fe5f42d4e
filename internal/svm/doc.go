// Package svm trains soft-margin support vector machines: for points x_i with
// labels y_i = ±1 it minimises
//
//	‖f‖²/2 + Σ_i C_i·max(0, 1 − y_i·(f(x_i) + b))
//
// over the functions f of the space of a kernel and numbers b. The solution is
// f(x) = Σ_i β_i·k(x_i, x), where β maximises the dual
//
//	Σ_i y_i·β_i − ½·Σ_ij β_i·β_j·k(x_i, x_j)
//
// subject to Σ_i β_i = 0 and 0 ≤ y_i·β_i ≤ C_i; y_i·β_i is what others call α_i.
// It is what package svm is made on, and the second stage of learning a kernel. For 10⁵
// points or more it is the wrong tool: its time grows between n² and n³.
//
// Regression with losses max(0, |y_i − f(x_i) − b| − epsilon) is the same problem with two
// variables for each row, one for what is above the tube, of linear term y_i − epsilon, and
// one for what is below, of y_i + epsilon and the other sign. That of one class has no linear
// term, and variables that add up to one.
//
// # Use
//
// Fit takes a kernel and rows and holds no more of the Gram matrix than its cache
// may take. Path solves for several C, each from the solution before it, on the same
// cache.
// FitClasses does one against one for more than two classes, PathRegression and OneClass the
// other problems. A Solution refers
// to the rows it was trained on: Decision and Classes.Scores want them again. All
// inputs are those of a caller that has validated them: rows are finite and
// accepted by kernel.Check.
//
// # Method
//
// The variables are taken in working sets of 512, of those that violate the
// optimality conditions most, and within these of 128; those are solved by
// sequential minimal optimisation, whose pairs are selected by second-order
// information (Fan, Chen and Lin, "Working set selection using second order
// information for training support vector machines", JMLR 6, 2005, WSS 2). So
// kernel values are computed in blocks of rows, and a step on a pair costs no pass
// over the data. Variables that stay at a bound are taken out of the problem
// (shrinking); their part of the gradient is made up for before the solution is
// accepted. Up to 128 rows this is the method of LIBSVM.
//
// A solution is certified by the least primal objective of the multiples of f and their
// constants, and with Options.Gap solved for further until the gap is as small: the violation
// alone is no bound of it, at a C of which a thousandth is much.
//
// Kernel values are held in double precision. LIBSVM rounds them to single
// precision, which moves the optimum: on a9a at C = 100 by more than a millionth
// of the objective.
package svm
