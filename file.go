package rkhs

import (
	"encoding"
	"fmt"
	"io"
	"os"
	"reflect"

	"github.com/rkhs-go/rkhs/internal/codec"
)

// Save writes a model or a learner to a file. It replaces an existing file only after the new
// one is complete. The file has the same permissions as with os.Create.
func Save(path string, m encoding.BinaryMarshaler) error {
	data, err := marshal(m)
	if err != nil {
		return err
	}
	return codec.WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

func marshal(m encoding.BinaryMarshaler) ([]byte, error) {
	if m == nil {
		return nil, fmt.Errorf("rkhs: there is no model to write: %w", ErrUnfitted)
	}
	return m.MarshalBinary()
}

// Load reads a file written by Save. The file header determines the type, which can be a model,
// a classifier or a learner of any package of this module that the program imports (a blank
// import suffices). T is the expected type, for example *slkl.Model, or an interface such as
// Model. Errors include the path. They wrap ErrFormat for a file that is damaged, is not from
// this module, or does not hold a T.
func Load[T any](path string) (T, error) {
	var none T
	f, err := os.Open(path)
	if err != nil {
		return none, err
	}
	defer f.Close()
	m, err := Read[T](f)
	if err != nil {
		return none, fmt.Errorf("%s: %w", path, err)
	}
	if n, _ := f.Read(make([]byte, 1)); n > 0 {
		return none, fmt.Errorf("%s: %w: there is more after the end", path, ErrFormat)
	}
	return m, nil
}

// Write writes a model or a learner to w.
func Write(w io.Writer, m encoding.BinaryMarshaler) error {
	data, err := marshal(m)
	if err != nil {
		return err
	}
	if w == nil {
		return fmt.Errorf("rkhs: Write to nil: %w", ErrOption)
	}
	_, err = w.Write(data)
	return err
}

// Read is Load from a stream. It reads exactly the bytes that Write has written.
func Read[T any](r io.Reader) (T, error) {
	var none T
	if r == nil {
		return none, fmt.Errorf("rkhs: Read of nil: %w", ErrOption)
	}
	file, err := codec.Read(r)
	if err != nil {
		return none, fmt.Errorf("rkhs: %w", err)
	}
	v, err := codec.Open(file)
	if err != nil {
		return none, err
	}
	m, ok := v.(T)
	if !ok {
		return none, fmt.Errorf("rkhs: %w: the file holds a %q, a %T, wanted a %v", ErrFormat, file.Kind, v, reflect.TypeFor[T]())
	}
	return m, nil
}
