package codec

import (
	"reflect"
	"sync"
)

// A Registry holds types of other packages under the names by which files know them,
// each with the decoder of its bytes. The zero value is empty; it is safe for
// concurrent use.
type Registry[T any] struct {
	mu       sync.RWMutex
	names    map[reflect.Type]string
	decoders map[string]func([]byte) (T, error)
}

// Add registers a type, unless its name or the type itself is taken.
func (r *Registry[T]) Add(name string, t reflect.Type, decode func([]byte) (T, error)) (ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.names[t]; known || r.decoders[name] != nil {
		return false
	}
	if r.names == nil {
		r.names, r.decoders = map[reflect.Type]string{}, map[string]func([]byte) (T, error){}
	}
	r.names[t], r.decoders[name] = name, decode
	return true
}

// Name returns the name of a type.
func (r *Registry[T]) Name(t reflect.Type) (name string, ok bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	name, ok = r.names[t]
	return name, ok
}

// Decoder returns the decoder of a name.
func (r *Registry[T]) Decoder(name string) (decode func([]byte) (T, error), ok bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	decode, ok = r.decoders[name]
	return decode, ok
}
