// Package baseline implements the competitors of package polk as in their sources: stochastic
// gradient descent on a budget (NORMA, BSGD), kernel least mean squares with the novelty
// criterion, kernel recursive least squares, the import vector machine, and batch descent by
// L-BFGS.
//
// The functions expect finite data and panic if sizes do not match.
package baseline
