// Package dataset brings data into memory for the examples, tests and programs
// of this module: it reads files of numbers with a target, draws the synthetic
// sets of the papers, and prepares rows for learning.
//
// Load reads a whole file, Batches the same file a few rows at a time, for what
// does not fit in memory. Both take
//
//	CSV       one row a line, the target in one of the columns (Options.Target)
//	svmlight  the sparse text format of LIBSVM, made dense (Options.Cols)
//	IDX       the binary format of MNIST, a file of images and one of labels
//
// each of them plain or compressed by gzip, which is seen from the contents. The
// format follows from the name, and from the contents where the name tells
// nothing; see Load. ReadCSV, ReadSVM and ReadIDX read from an io.Reader.
//
// Values are finite float64 numbers. A reader never guesses what a broken file
// meant: a missing or malformed value, a NaN, a row of another length, a file
// that was cut off is an error that names the place, counted from 1, and wraps
// rkhs.ErrFormat, or rkhs.ErrNotFinite for a NaN, an infinity or a number beyond
// the range of float64. Sizes that a file declares are not believed before the
// data has come: memory stays within a small multiple of what was read, but for
// the zeros of svmlight, which Options.MaxValues limits.
//
// One kind of damage cannot be seen: a plain CSV or svmlight file that was cut
// off at the end of a row, or inside its last number. Compressed files are safe
// from it.
package dataset
