package kernel

import (
	"bytes"
	"reflect"
)

// Equal reports whether a and b are the same kernel: of the same type, with the
// same parameters to the bit. A kernel of another package is the same if
// reflect.DeepEqual says so, or if Marshal makes the same file of both.
func Equal(a, b Kernel) bool {
	if reflect.DeepEqual(a, b) {
		return true
	}
	x, errX := Marshal(a)
	y, errY := Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
