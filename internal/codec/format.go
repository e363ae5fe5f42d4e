package codec

import (
	"fmt"
	"strings"
	"sync"
)

// version is the version of the contents of all kinds of files before the first release.
const version = 1

// A Format is a kind of file with a T.
type Format[T any] struct {
	// Kind is the name of the package, which prefixes errors, and the name of the content.
	Kind string
	// Decode reads a payload.
	Decode func(*Decoder) T
	// Encode writes a payload, for File.
	Encode func(*T, *Encoder) error
	// Fitted reports whether a value is neither nil nor zero, which have no file.
	Fitted func(*T) bool
}

// Register registers f for Open and returns it. Call it once per kind, in the declaration of a
// variable.
func Register[T any](f Format[T]) Format[T] {
	kinds.Lock()
	defer kinds.Unlock()
	if kinds.open == nil {
		kinds.open = map[string]func(File) (any, error){}
	}
	if kinds.open[f.Kind] != nil {
		panic("codec: kind " + f.Kind + " is registered twice")
	}
	kinds.open[f.Kind] = func(file File) (any, error) {
		v := new(T)
		return v, f.decode(v, file.Version, file.Payload, nil)
	}
	return f
}

// kinds are the registered formats.
var kinds struct {
	sync.RWMutex
	open map[string]func(File) (any, error)
}

// Open returns a pointer to the content of a file of a registered kind.
func Open(f File) (any, error) {
	kinds.RLock()
	open := kinds.open[f.Kind]
	kinds.RUnlock()
	if open == nil {
		return nil, fmt.Errorf("rkhs: %w: the file holds a %q, which no imported package of this module reads", ErrFormat, f.Kind)
	}
	return open(f)
}

// File returns the file of v, or an error that wraps rkhs.ErrUnfitted.
func (f Format[T]) File(v *T) ([]byte, error) {
	if !f.Fitted(v) {
		return nil, fmt.Errorf("%s: MarshalBinary of what was not made by a fit, a constructor or a file: %w", f.pkg(), ErrUnfitted)
	}
	return f.Marshal(func(e *Encoder) error { return f.Encode(v, e) })
}

// Marshal returns a file with the payload that encode writes.
func (f Format[T]) Marshal(encode func(*Encoder) error) ([]byte, error) {
	var e Encoder
	if err := encode(&e); err != nil {
		return nil, fmt.Errorf("%s: %w", f.pkg(), err)
	}
	return Marshal(f.Kind, version, e.Payload()), nil
}

// Unmarshal stores the content of a file in dst. It does not change dst on an error.
func (f Format[T]) Unmarshal(dst *T, data []byte) error {
	of, payload, err := Unmarshal(data, f.Kind)
	return f.decode(dst, of, payload, err)
}

func (f Format[T]) pkg() string {
	name, _, _ := strings.Cut(f.Kind, " ")
	return name
}

func (f Format[T]) decode(dst *T, of uint16, payload []byte, err error) error {
	if err == nil && (of != version) {
		err = fmt.Errorf("%w: version %d is unknown, this library reads %d", ErrFormat, of, version)
	}
	if err == nil && dst == nil {
		err = fmt.Errorf("%w: nil receiver", ErrFormat)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.pkg(), err)
	}
	d := NewDecoder(payload)
	v := f.Decode(d)
	if err := d.Close(); err != nil {
		return fmt.Errorf("%s: %w", f.pkg(), err)
	}
	*dst = v
	return nil
}

// Nested writes a file inside a file, or returns its error: e.Nested(kernel.Marshal(k)).
func (e *Encoder) Nested(data []byte, err error) error {
	e.Bytes(data)
	return err
}

// Nested reads a file that Encoder.Nested wrote.
func Nested[T any](d *Decoder, unmarshal func([]byte) (T, error)) (v T) {
	data := d.Bytes()
	if d.Err() != nil {
		return v
	}
	v, err := unmarshal(data)
	if err != nil {
		d.Fail("%v", err)
	}
	return v
}
