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

// Register lets Marshal write losses of type L under the given name, as the bytes of
// their MarshalBinary, and Unmarshal read them by decode, which must return an error
// for bytes that make no loss and must not keep them. A good name starts with an
// import path. Call it from an init function. It panics if the name or the type is
// taken.
func Register[L interface {
	Loss
	encoding.BinaryMarshaler
}](name string, decode func(data []byte) (L, error)) {
	registry.Add(name, reflect.TypeFor[L](), func(data []byte) (Loss, error) { return decode(data) })
}
