package kernel

import (
	"reflect"
	"testing"
)

// TestAllRepresented holds every kernel of this package to random features: it says
// what it is the expectation of, or is made of kernels that do.
func TestAllRepresented(t *testing.T) {
	for name, typ := range builtin {
		k := reflect.New(typ).Elem().Interface()
		_, represented := k.(Represented)
		_, made := k.(composite)
		if represented == made {
			t.Errorf("%s: represented is %v, made of others is %v", name, represented, made)
		}
	}
}
