// Package rng turns one seed into any number of independent random streams.
//
// A learner keeps one uint64 seed. Whatever it draws, it draws from the stream
// of (seed, purpose, block): purpose is a fixed string that names the use, such
// as "landmarks" or "order", and block counts the streams of that use. No draw
// for one purpose moves another, so results do not depend on the number of
// workers nor on which parts of a program ran before. Hash answers the same
// address with a single number and no state, for decisions about one row, such
// as its fold in a cross-validation.
//
// Streams and hashes are part of the file format of this module: a model file
// holds the seed and draws again on load. They are therefore frozen, and the
// same bits on every machine. The generator is PCG XSL RR 128/64 ("PCG: A Family
// of Simple Fast Space-Efficient Statistically Good Algorithms for Random Number
// Generation", 2014) as golang.org/x/exp/rand implements it; no other package
// imports that one.
//
// Random features need normals by the million and at random access; they come
// from the counter generator of internal/compute, not from here. Nothing here
// is fit for cryptography.
package rng
