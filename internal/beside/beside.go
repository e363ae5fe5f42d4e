// Package beside writes files that are in their place only when they are whole: they are
// written beside it, synced, and renamed.
package beside

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
)

// Create creates a file in the folder of path, with a name that no other call takes, and the
// permissions of os.Create: those of os.CreateTemp are others.
func Create(path string) (f *os.File, err error) {
	for {
		f, err = os.OpenFile(fmt.Sprintf("%s.%016x.tmp", path, rand.Uint64()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, os.ErrExist) {
			return f, err
		}
	}
}

// Write puts what write writes in the place of path. On an error, what was there stays; a file
// that was there keeps its permissions.
func Write(path string, write func(io.Writer) error) error {
	f, err := Create(path)
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
