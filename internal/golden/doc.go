// Package golden has only tests. They fit each learner in each mode to fixed data and compare
// checksums of the predictions and report figures with testdata/golden.txt. A refactoring must not
// change that file.
//
// To accept changed results, rewrite the file with
//
//	go test ./internal/golden -update
//
// and set RKHS_DATA to include the cases on real data. The diff of the file shows the changed
// fits.
package golden
