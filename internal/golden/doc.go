// Package golden holds no code, only tests: they fit models of every learner,
// mode and task to fixed data, and compare checksums of the predictions and of
// the figures of the reports with those in testdata/golden.txt. A change that is
// meant to leave the numbers alone leaves every line of that file alone.
//
// A change that is meant to move numbers writes the file anew by
//
//	go test ./internal/golden -update
//
// with RKHS_DATA set for the cases on real data, and the difference of the file
// shows which fits moved.
package golden
