package rkhs

import (
	"errors"

	"github.com/rkhs-go/rkhs/internal/codec"
)

// Errors that all packages of this module wrap. Test for them with errors.Is. The message adds
// the package, the location and the value.
var (
	// ErrShape reports matrices with dimensions that do not match each other or the model.
	ErrShape = errors.New("dimensions do not match")
	// ErrEmpty reports data without rows or without columns.
	ErrEmpty = errors.New("no data")
	// ErrNotFinite reports a NaN or an infinity. The message gives its location: row and
	// column of a matrix, counted from 0, or line and field of a file, counted from 1.
	ErrNotFinite = errors.New("value is not finite")
	// ErrDomain reports a value for which a kernel or a loss is undefined, for example a
	// negative element of a histogram.
	ErrDomain = errors.New("value is outside the domain")
	// ErrOption reports an option or a kernel parameter that is out of range. The message
	// gives the field and the value.
	ErrOption = errors.New("invalid option")
	// ErrUnfitted reports a nil or zero model or learner. Use a fit, a constructor or a file
	// to create one.
	ErrUnfitted = codec.ErrUnfitted
	// ErrLabels reports invalid class labels: a single class, a label that is not an integer,
	// or a label that is unknown to the model.
	ErrLabels = errors.New("invalid labels")
	// ErrMemory reports an operation that needs more memory than its limit. The message gives
	// the required amount.
	ErrMemory = errors.New("memory limit exceeded")
	// ErrDiverged reports iterates, or sums over the data, that overflowed the numeric range.
	ErrDiverged = errors.New("iteration diverged")
	// ErrNotConverged reports a fit that ended before it reached its tolerance. The fit also
	// returns its best model so far.
	ErrNotConverged = errors.New("not converged")
	// ErrNoCalibration reports a request for probabilities or intervals from a model without
	// calibration. The fit stopped early, had too few rows or disabled calibration, or the
	// file has an older version.
	ErrNoCalibration = errors.New("model is not calibrated")
	// ErrFormat reports an invalid file: wrong magic, unknown version, bad checksum,
	// malformed or truncated contents.
	ErrFormat = codec.ErrFormat
)
