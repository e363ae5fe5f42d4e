package loss

import (
	"encoding"
	"fmt"
	"reflect"
	"sync"
)

var registry struct {
	sync.RWMutex
	names    map[reflect.Type]string
	decoders map[string]func([]byte) (Loss, error)
}

// Register lets Marshal write losses of type L under the given name, as the bytes of
// their MarshalBinary, and Unmarshal read them by decode, which must return an error
// for bytes that make no loss and must not keep them. A good name starts with an
// import path. Call it from an init function. It panics if the name or the type is
// taken.
func Register[L interface {
	Loss
	encoding.BinaryMarshaler
}](name string, decode func(data []byte) (L, error)) {
	registry.Lock()
	defer registry.Unlock()
	t := reflect.TypeFor[L]()
	_, taken := registry.decoders[name]
	_, known := registry.names[t]
	if taken || known || builtin[name] != nil || isBuiltin(t) {
		panic(fmt.Sprintf("loss: Register(%q) of %v: name or type is taken", name, t))
	}
	if registry.names == nil {
		registry.names = map[reflect.Type]string{}
		registry.decoders = map[string]func([]byte) (Loss, error){}
	}
	registry.names[t] = name
	registry.decoders[name] = func(data []byte) (Loss, error) { return decode(data) }
}

func registeredName(t reflect.Type) (string, bool) {
	registry.RLock()
	defer registry.RUnlock()
	name, ok := registry.names[t]
	return name, ok
}

func registeredDecoder(name string) (func([]byte) (Loss, error), bool) {
	registry.RLock()
	defer registry.RUnlock()
	d, ok := registry.decoders[name]
	return d, ok
}
