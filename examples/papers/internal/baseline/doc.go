// Package baseline holds the methods that package polk is compared with, each
// written as plainly as its source states it: stochastic gradient descent on a
// budget (NORMA, BSGD), kernel least mean squares with the novelty criterion,
// kernel recursive least squares, the import vector machine, and batch descent by
// L-BFGS.
//
// They are for comparisons on finite data that the caller has checked: a mismatch
// of sizes panics.
package baseline
