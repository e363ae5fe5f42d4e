// Package synthetic generates the synthetic data sets of the papers: a regression task and
// a classification task in the plane, and a chaotic time series. The same seed gives the
// same bits on every machine.
package synthetic
