package kernel

import (
	"encoding"
	"fmt"
	"reflect"

	"github.com/rkhs-go/rkhs/internal/codec"
)

var registry codec.Registry[Kernel]

// Register lets Marshal write kernels of type K under the given name, as the
// bytes of their MarshalBinary, and Unmarshal read them by decode, which must
// return an error for bytes that make no kernel and must not keep them. A good
// name starts with an import path. Call it from an init function. It panics if
// the name or the type is taken.
func Register[K interface {
	Kernel
	encoding.BinaryMarshaler
}](name string, decode func(data []byte) (K, error)) {
	t := reflect.TypeFor[K]()
	if builtin[name] != nil || !registry.Add(name, t, func(data []byte) (Kernel, error) { return decode(data) }) {
		panic(fmt.Sprintf("kernel: Register(%q) of %v: name or type is taken", name, t))
	}
}
