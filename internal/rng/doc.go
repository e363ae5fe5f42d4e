// Package rng derives independent random streams from one seed.
//
// A learner stores one uint64 seed and draws from streams with the address (seed, purpose,
// block). purpose is a fixed string that names the use, such as "landmarks" or "order";
// block numbers the streams of that use. Draws for one purpose do not affect another, so
// results do not depend on the number of workers or on the order of the work. Hash maps the
// same kind of address to a single number without state, for decisions about one row, such
// as its cross-validation fold.
//
// Streams and hashes are part of the file format of this module: a model file stores the
// seed, and loading it draws the same numbers again. They must therefore never change, and
// they give the same bits on every machine. The generator is PCG XSL RR 128/64 ("PCG: A
// Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random Number
// Generation", 2014) from golang.org/x/exp/rand. No other package imports x/exp/rand.
//
// Random features need many normals with random access. They use the counter-based generator
// of internal/compute instead. This package is not suitable for cryptography.
package rng
