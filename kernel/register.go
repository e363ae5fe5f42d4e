package kernel

import (
	"encoding"
	"fmt"
	"reflect"
	"sync"
)

var registry struct {
	sync.RWMutex
	names    map[reflect.Type]string
	decoders map[string]func([]byte) (Kernel, error)
}

// Register lets Marshal write kernels of type K under the given name, as the
// bytes of their MarshalBinary, and Unmarshal read them by decode, which must
// return an error for bytes that make no kernel and must not keep them. A good
// name starts with an import path. Call it from an init function. It panics if
// the name or the type is taken.
func Register[K interface {
	Kernel
	encoding.BinaryMarshaler
}](name string, decode func(data []byte) (K, error)) {
	registry.Lock()
	defer registry.Unlock()
	t := reflect.TypeFor[K]()
	_, taken := registry.decoders[name]
	_, known := registry.names[t]
	if taken || known || builtin[name] != nil {
		panic(fmt.Sprintf("kernel: Register(%q) of %v: name or type is taken", name, t))
	}
	if registry.names == nil {
		registry.names = map[reflect.Type]string{}
		registry.decoders = map[string]func([]byte) (Kernel, error){}
	}
	registry.names[t] = name
	registry.decoders[name] = func(data []byte) (Kernel, error) { return decode(data) }
}

func registeredName(t reflect.Type) (string, bool) {
	registry.RLock()
	defer registry.RUnlock()
	name, ok := registry.names[t]
	return name, ok
}

func registeredDecoder(name string) (func([]byte) (Kernel, error), bool) {
	registry.RLock()
	defer registry.RUnlock()
	d, ok := registry.decoders[name]
	return d, ok
}
