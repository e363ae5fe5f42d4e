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

	"github.com/rkhs-go/rkhs/examples/internal/modelfile"
)

// save writes l to the file of -model, or to a temporary one, reads it back and
// checks that the model so read predicts the same bits for the rows of x.
func (c *config) save(w io.Writer, l learner, x *mat.Dense) error {
	path := c.model
	if path == "" {
		dir, err := os.MkdirTemp("", "slkl")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		path = filepath.Join(dir, "model")
	}
	size, err := modelfile.Write(path, l)
	if err != nil {
		return err
	}
	again, err := c.readModel(path)
	if err != nil {
		return err
	}
	if err := samePredictions(l, again, x); err != nil {
		return err
	}
	where := "a file"
	if c.model != "" {
		where = c.model
	}
	fmt.Fprintf(w, "saved to %s (%d bytes) and read back: predicts the same bits\n", where, size)
	return nil
}

func (c *config) readModel(path string) (learner, error) {
	l := c.newLearner()
	if err := modelfile.Read(path, l); err != nil {
		return nil, err
	}
	return l, nil
}

func samePredictions(a, b learner, x *mat.Dense) error {
	p, err := predictions(a, x)
	if err != nil {
		return err
	}
	q, err := predictions(b, x)
	if err != nil {
		return err
	}
	if !slices.EqualFunc(p, q, func(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) }) {
		return errors.New("the saved model predicts other bits than the one in memory")
	}
	return nil
}
