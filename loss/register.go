package loss

import (
	"encoding"
	"reflect"

	"github.com/rkhs-go/rkhs/internal/codec"
)

var registry = codec.NewRegistry[Loss]("loss",
	Squared{}, Huber{}, EpsilonInsensitive{}, Absolute{}, Pinball{},
	Hinge{}, SquaredHinge{}, Logistic{}, Softmax{}, MulticlassHinge{},
)

// Register adds losses of type L, with a name that should start with an import path. Marshal writes
// the bytes of their MarshalBinary, and Unmarshal reads them by decode, which must return an error for
// invalid bytes and must not keep them. Call it from an init function. It panics if the name or the
// type is registered already.
func Register[L interface {
	Loss
	encoding.BinaryMarshaler
}](name string, decode func(data []byte) (L, error)) {
	registry.Add(name, reflect.TypeFor[L](), func(data []byte) (Loss, error) { return decode(data) })
}
