// Package modelfile keeps models in files.
package modelfile

import (
	"encoding"
	"fmt"
	"os"
	"path/filepath"
)

// Write writes m and returns the size of the file, which is in its place only
// when it is whole.
func Write(path string, m encoding.BinaryMarshaler) (size int, err error) {
	data, err := m.MarshalBinary()
	if err != nil {
		return 0, err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return 0, err
	}
	defer os.Remove(f.Name()) // after the renaming there is nothing to remove
	if _, err := f.Write(data); err != nil {
		f.Close()
		return 0, err
	}
	if err := f.Close(); err != nil {
		return 0, err
	}
	return len(data), os.Rename(f.Name(), path)
}

// Read reads m from a file. Its errors begin with the path.
func Read(path string, m encoding.BinaryUnmarshaler) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := m.UnmarshalBinary(data); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
