package loss

import (
	"encoding"
	"fmt"
	"reflect"

	"github.com/rkhs-go/rkhs/internal/codec"
)

var registry codec.Registry[Loss]

// Register lets Marshal write losses of type L under the given name, as the bytes of
// their MarshalBinary, and Unmarshal read them by decode, which must return an error
// for bytes that make no loss and must not keep them. A good name starts with an
// import path. Call it from an init function. It panics if the name or the type is
// taken.
func Register[L interface {
	Loss
	encoding.BinaryMarshaler
}](name string, decode func(data []byte) (L, error)) {
	t := reflect.TypeFor[L]()
	if builtin[name] != nil || isBuiltin(t) || !registry.Add(name, t, func(data []byte) (Loss, error) { return decode(data) }) {
		panic(fmt.Sprintf("loss: Register(%q) of %v: name or type is taken", name, t))
	}
}
