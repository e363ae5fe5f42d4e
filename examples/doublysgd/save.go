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
	"github.com/rkhs-go/rkhs/examples/internal/modelfile"
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
	size, err := modelfile.Write(path, l)
	if err != nil {
		return err
	}
	var again doublysgd.Classifier
	if err := modelfile.Read(path, &again); err != nil {
		return err
	}
	if err := sameScores(l, &again, x); err != nil {
		return err
	}
	fmt.Fprintf(w, "saved to %s (%d bytes) and read back: predicts the same bits\n", where, size)
	return nil
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
