package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
)

// runPredict writes a prediction for each row of the file, one a line. Where the
// file has targets too, their error goes to the standard error.
func (c *config) runPredict(stdout, stderr io.Writer) error {
	l, err := c.readModel(c.model)
	if err != nil {
		return err
	}
	s, err := c.rowsFor(inputs(l))
	if err != nil {
		return err
	}
	p, err := predictions(l, s.X)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(stdout)
	for _, v := range p {
		out.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
		out.WriteByte('\n')
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if s.Y == nil {
		return nil
	}
	if c.classify {
		fmt.Fprintf(stderr, "error %.2f %%\n", percent(p, s.Y))
		return nil
	}
	rmse, err := dataset.RMSE(mat.NewVecDense(len(p), p), s.Targets())
	if err == nil {
		fmt.Fprintf(stderr, "RMSE %.5g\n", rmse)
	}
	return err
}

// rowsFor reads rows of d inputs. A CSV file with one column more has targets.
func (c *config) rowsFor(d int) (*dataset.Set, error) {
	s, err := dataset.Load(c.data, dataset.Options{Target: dataset.NoTarget, Cols: d})
	if err != nil {
		return nil, err
	}
	switch _, columns := s.X.Dims(); {
	case columns == d:
		return s, nil
	case columns == d+1 && s.Y == nil:
		return dataset.Load(c.data, dataset.Options{Target: c.target})
	default:
		return nil, fmt.Errorf("%s has %d columns, the model takes %d inputs", c.data, columns, d)
	}
}
