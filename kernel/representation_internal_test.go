package kernel

import "testing"

// TestAllRepresented holds every kernel of this package to random features: it says
// what it is the expectation of, or is made of kernels that do.
func TestAllRepresented(t *testing.T) {
	for _, k := range own {
		_, represented := k.(Represented)
		_, made := k.(composite)
		if represented == made {
			t.Errorf("%T: represented is %v, made of others is %v", k, represented, made)
		}
	}
}
