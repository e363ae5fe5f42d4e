package input

import (
	"context"
	"fmt"

	"github.com/rkhs-go/rkhs"
)

// A Field is a field of options with its value and whether that is in range.
type Field struct {
	Name  string
	Value float64
	OK    bool
}

// WithinRange reports whether v is positive and its squares and products with data neither overflow nor
// underflow.
func WithinRange(v float64) bool { return v >= 1e-100 && v <= 1e100 }

// Ranges returns an error that wraps rkhs.ErrOption and names the first field out of range.
func Ranges(pkg string, fields []Field) error {
	for _, f := range fields {
		if !f.OK {
			return fmt.Errorf("%s: %s = %v is out of range: %w", pkg, f.Name, f.Value, rkhs.ErrOption)
		}
	}
	return nil
}

// An Unused field is a field that the selected mode does not read.
type Unused struct {
	Name string
	Set  bool
}

// Refuse returns an error that wraps rkhs.ErrOption and names the first field that is set but unused in
// the mode.
func Refuse(pkg, mode string, fields []Unused) error {
	for _, f := range fields {
		if f.Set {
			return fmt.Errorf("%s: %s does not use %s, which is set: %w", pkg, mode, f.Name, rkhs.ErrOption)
		}
	}
	return nil
}

// Context returns an error for a nil context.
func Context(pkg string, ctx context.Context) error {
	if IsNil(ctx) {
		return fmt.Errorf("%s: the context is nil: %w", pkg, rkhs.ErrOption)
	}
	return nil
}

// Fitted returns an error that wraps rkhs.ErrUnfitted unless ok: the receiver of method is nil or zero.
func Fitted(pkg, method string, ok bool) error {
	if !ok {
		return fmt.Errorf("%s: %s without a fit, a constructor or a file: %w", pkg, method, rkhs.ErrUnfitted)
	}
	return nil
}

// DefaultMemory is the default of MemoryLimit.
const DefaultMemory = 4 << 30

// Memory returns an error that wraps rkhs.ErrMemory if an allocation exceeds the limit, in bytes.
func Memory(pkg, name string, need float64, limit int64) error {
	if need > float64(limit) {
		return fmt.Errorf("%s: %s need %s, MemoryLimit is %s: %w", pkg, name, mebibytes(need), mebibytes(float64(limit)), rkhs.ErrMemory)
	}
	return nil
}

func mebibytes(bytes float64) string { return fmt.Sprintf("%.3g MiB", bytes/(1<<20)) }

// Coverage returns an error unless coverage is between 0 and 1.
func Coverage(pkg string, coverage float64) error {
	if !(coverage > 0 && coverage < 1) {
		return fmt.Errorf("%s: coverage = %v, want one between 0 and 1: %w", pkg, coverage, rkhs.ErrOption)
	}
	return nil
}
