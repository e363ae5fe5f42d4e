package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd"
)

// save writes l to the file of -model, or to a temporary one, reads it back and
// checks that the classifier so read has the same scores, bit for bit, for the rows
// of x.
func (c *config) save(w io.Writer, l *doublysgd.Classifier, x *mat.Dense) error {
	path, where := c.model, c.model
	if path == "" {
		dir, err := os.MkdirTemp("", "doublysgd")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		path, where = filepath.Join(dir, "model"), "a file"
	}
	size, err := writeModel(path, l)
	if err != nil {
		return err
	}
	again, err := readModel(path)
	if err != nil {
		return err
	}
	if err := sameScores(l, again, x); err != nil {
		return err
	}
	fmt.Fprintf(w, "saved to %s (%d bytes) and read back: predicts the same bits\n", where, size)
	return nil
}

// writeModel puts a file in its place only when it is whole.
func writeModel(path string, l *doublysgd.Classifier) (size int64, err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return 0, err
	}
	defer os.Remove(f.Name()) // after the renaming there is nothing to remove
	if size, err = l.WriteTo(f); err != nil {
		f.Close()
		return 0, err
	}
	if err := f.Close(); err != nil {
		return 0, err
	}
	return size, os.Rename(f.Name(), path)
}

func readModel(path string) (*doublysgd.Classifier, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	l := new(doublysgd.Classifier)
	if _, err := l.ReadFrom(f); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return l, nil
}

func sameScores(a, b *doublysgd.Classifier, x *mat.Dense) error {
	p, err := a.Scores(x)
	if err != nil {
		return err
	}
	q, err := b.Scores(x)
	if err != nil {
		return err
	}
	same := func(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) }
	if !slices.EqualFunc(p.RawMatrix().Data, q.RawMatrix().Data, same) {
		return errors.New("the saved classifier has other scores than the one in memory")
	}
	return nil
}
