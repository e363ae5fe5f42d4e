package codec

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
)

// CreateFile creates a file in the folder of path under a new name, with the permissions of os.Create,
// which differ from os.CreateTemp.
func CreateFile(path string) (f *os.File, err error) {
	for {
		f, err = os.OpenFile(fmt.Sprintf("%s.%016x.tmp", path, rand.Uint64()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, os.ErrExist) {
			return f, err
		}
	}
}

// WriteFile replaces the file at path by the output of write. It writes a new file in the same folder,
// syncs and renames it, so that the file is complete or unchanged. It keeps the permissions of an existing
// file.
func WriteFile(path string, write func(io.Writer) error) error {
	f, err := CreateFile(path)
	if err != nil {
		return err
	}
	if old, e := os.Stat(path); e == nil {
		err = f.Chmod(old.Mode().Perm())
	}
	if err == nil {
		err = write(f)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
