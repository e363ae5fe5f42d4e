package rkhs

import (
	"errors"

	"github.com/rkhs-go/rkhs/internal/codec"
)

// The errors that every package of this module wraps. Test for them with
// errors.Is; the message adds the package, the place and the value.
var (
	// ErrShape reports matrices whose dimensions do not fit together or do not
	// fit the model.
	ErrShape = errors.New("dimensions do not match")
	// ErrEmpty reports data without rows or without columns.
	ErrEmpty = errors.New("no data")
	// ErrNotFinite reports a NaN or an infinity; the message names its place: row
	// and column of a matrix, counted from 0, or line and field of a file, counted
	// from 1.
	ErrNotFinite = errors.New("value is not finite")
	// ErrDomain reports a value on which a kernel or a loss is not defined, for
	// example a negative entry of a histogram.
	ErrDomain = errors.New("value is outside the domain")
	// ErrOption reports an option, or a parameter of a kernel, that is out of
	// range; the message names the field and the value.
	ErrOption = errors.New("invalid option")
	// ErrUnfitted reports a model or a learner that is nil or a zero value: neither
	// a fit, a constructor nor a file has made it.
	ErrUnfitted = codec.ErrUnfitted
	// ErrLabels reports class labels that cannot be used: a single class, a
	// label that is not an integer, or one that the model does not know.
	ErrLabels = errors.New("invalid labels")
	// ErrMemory reports work that would need more memory than its limit allows;
	// the message says how much.
	ErrMemory = errors.New("memory limit exceeded")
	// ErrDiverged reports iterates, or sums over the data, that left the range of
	// numbers that can be worked with.
	ErrDiverged = errors.New("iteration diverged")
	// ErrNotConverged reports a fit that ended before it reached its tolerance.
	// The best model so far comes with it.
	ErrNotConverged = errors.New("not converged")
	// ErrUncalibrated reports probabilities or intervals that are asked of a model which has
	// none: its fit was stopped, or had too few rows, or was told to leave them out, or the
	// file is of a version without them.
	ErrUncalibrated = errors.New("model is not calibrated")
	// ErrFormat reports a file that is not what it should be: wrong magic,
	// unknown version, bad checksum, malformed or truncated contents.
	ErrFormat = codec.ErrFormat
)
