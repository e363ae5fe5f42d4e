package kernel

import (
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
)

// maxLength bounds lengths such as a bandwidth from above, and their inverse
// from below, so that their squares and inverse squares are normal numbers.
const maxLength = 1e150

func checkLength(name string, v float64) error {
	if !(v >= 1/maxLength && v <= maxLength) {
		return fmt.Errorf("kernel: %s is %v, want a positive number between %g and %g: %w", name, v, 1/maxLength, maxLength, rkhs.ErrOption)
	}
	return nil
}

func checkNonnegative(name string, v float64) error {
	if !(v >= 0) || math.IsInf(v, 1) {
		return fmt.Errorf("kernel: %s is %v, want a finite number ≥ 0: %w", name, v, rkhs.ErrOption)
	}
	return nil
}

// checkCount panics unless there are n new values of parameters.
func checkCount(v []float64, n int) {
	if len(v) != n {
		panic(fmt.Sprintf("kernel: %d parameters given, want %d", len(v), n))
	}
}

// only returns the new value of the one parameter that there is.
func only(v []float64) float64 {
	checkCount(v, 1)
	return v[0]
}
