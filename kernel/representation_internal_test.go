package kernel

import (
	"testing"

	"github.com/rkhs-go/rkhs/internal/gram"
)

// TestAllRepresented checks that every kernel of this package has random features: a
// representation of its own, or parts that have one.
func TestAllRepresented(t *testing.T) {
	for _, k := range own {
		_, represented := k.(interface {
			representation(dim int) gram.Representation
		})
		if _, ok := k.(interface{ family() (Kernel, any) }); ok {
			represented = true
		}
		s := structureOf(k)
		_, ard := k.(ARD)
		_, scale := k.(Scale)
		made := ard || scale || s.Terms != nil || s.Factors != nil
		if represented == made {
			t.Errorf("%T: represented is %v, made of others is %v", k, represented, made)
		}
	}
}
