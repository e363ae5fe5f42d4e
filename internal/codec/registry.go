package codec

import (
	"encoding"
	"fmt"
	"reflect"
	"sync"
)

// A Registry maps names in files to types: the own types of a package, which writes their fields
// itself, and registered types of other packages with their decoders. It is safe for concurrent use.
type Registry[T any] struct {
	pkg string
	own map[string]reflect.Type

	mu       sync.RWMutex
	names    map[reflect.Type]string
	decoders map[string]func([]byte) (T, error)
}

// NewRegistry returns the registry of a package with the types of the given values as its own types.
// Errors begin with the name of the package.
func NewRegistry[T any](pkg string, own ...T) *Registry[T] {
	r := &Registry[T]{pkg: pkg, own: map[string]reflect.Type{}, names: map[reflect.Type]string{}, decoders: map[string]func([]byte) (T, error){}}
	for _, v := range own {
		t := reflect.TypeOf(v)
		r.own[t.Name()] = t
	}
	return r
}

// Add registers a type of another package. It panics if the name or the type is registered already.
func (r *Registry[T]) Add(name string, t reflect.Type, decode func([]byte) (T, error)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.names[t]; known || r.decoders[name] != nil || r.own[name] != nil || r.own[t.Name()] == t {
		panic(fmt.Sprintf("%s: Register(%q) of %v: name or type is taken", r.pkg, name, t))
	}
	r.names[t], r.decoders[name] = name, decode
}

// Type returns the own type of the given name, or nil.
func (r *Registry[T]) Type(name string) reflect.Type { return r.own[name] }

// Own returns v, or the value that v points to, if it has an own type.
func (r *Registry[T]) Own(v T) (own T, ok bool) {
	to := reflect.ValueOf(v)
	if to.Kind() == reflect.Pointer && !to.IsNil() {
		to = to.Elem()
	}
	if t := to.Type(); r.own[t.Name()] != t {
		return own, false
	}
	if to.Type() != reflect.TypeOf(v) {
		v = to.Interface().(T)
	}
	return v, true
}

// Encode writes the name and the MarshalBinary of a registered value, or of the value that v points to.
// A type that is not registered is rkhs.ErrFormat.
func (r *Registry[T]) Encode(e *Encoder, v T) error {
	to := reflect.ValueOf(v)
	name, ok := r.name(to)
	if !ok && to.Kind() == reflect.Pointer && !to.IsNil() {
		to = to.Elem()
		name, ok = r.name(to)
	}
	if !ok {
		return fmt.Errorf("%w: %T is not registered, see %s.Register", ErrFormat, v, r.pkg)
	}
	e.String(name)
	return e.Nested(to.Interface().(encoding.BinaryMarshaler).MarshalBinary())
}

func (r *Registry[T]) name(v reflect.Value) (name string, ok bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	name, ok = r.names[v.Type()]
	return name, ok
}

// Decode reads the bytes that Encode wrote after the name.
func (r *Registry[T]) Decode(d *Decoder, name string) (v T) {
	r.mu.RLock()
	decode := r.decoders[name]
	r.mu.RUnlock()
	if decode == nil {
		d.Fail("%s %q is not registered, see %s.Register", r.pkg, name, r.pkg)
		return v
	}
	return Nested(d, func(data []byte) (T, error) {
		v, err := decode(data)
		if err != nil {
			err = fmt.Errorf("%s %q: %w", r.pkg, name, err)
		}
		return v, err
	})
}
