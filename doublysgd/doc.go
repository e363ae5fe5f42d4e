// Package doublysgd learns functions that are sums over blocks of random
// features, from rows at hand or from a stream.
package doublysgd
