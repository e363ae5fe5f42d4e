// Command slkl trains package slkl on a file of yours, or predicts with a model
// that it saved:
//
//	slkl -data rows.csv.gz -model rows.model
//	slkl -predict -model rows.model -data more.csv > predictions
//
// A file is CSV with the target in one of its columns, svmlight, or IDX, each
// plain or compressed by gzip. The target is a number to predict; with
// -classify it is the label of a class. A part of the rows is held back to test
// on. Inputs are scaled to standard deviation 1 by the kernel itself, so that a
// saved model takes rows as they stand in the file.
//
// A wrong file or flag ends the command with one line on the standard error and
// exit status 1.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/rkhs-go/rkhs/examples/internal/commandline"
)

func main() {
	commandline.Main("slkl", func(ctx context.Context, args []string) error {
		return run(ctx, args, os.Stdout, os.Stderr)
	})
}

// config is the command line.
type config struct {
	data, model       string
	target            int
	classify, predict bool
	test              float64
	seed              uint64
	landmarks         int
	nu                float64
	bandwidths        []float64
	standardize       bool
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	c, err := parse(args, stdout)
	if err != nil {
		return err
	}
	if c.predict {
		return c.runPredict(stdout, stderr)
	}
	return c.runTrain(ctx, stdout, stderr)
}

func parse(args []string, help io.Writer) (config, error) {
	c := config{bandwidths: []float64{1}}
	f := flag.NewFlagSet("slkl", flag.ContinueOnError)
	f.StringVar(&c.data, "data", "", "read rows from `file`")
	f.IntVar(&c.target, "target", 0, "`column` of the target in a CSV file: 1 is the first, -1 the last (default the last)")
	f.BoolVar(&c.classify, "classify", false, "the target is the label of a class, a whole number")
	f.Float64Var(&c.test, "test", 0.25, "`fraction` of the rows to test on")
	f.Uint64Var(&c.seed, "seed", 1, "seed of the split, the landmarks and the folds")
	f.IntVar(&c.landmarks, "landmarks", 0, "`number` of landmarks (default 1000, or all rows if they are fewer)")
	f.Float64Var(&c.nu, "nu", 0, "weight of the penalty (default chosen by cross-validation)")
	f.Func("bandwidths", "bandwidths of the Gaussian kernels as `multiples` of the median distance, such as 0.5,1,2 (default 1)", c.setBandwidths)
	f.BoolVar(&c.standardize, "standardize", true, "divide each input by its standard deviation")
	f.StringVar(&c.model, "model", "", "save the model to `file`, or read it from there with -predict")
	f.BoolVar(&c.predict, "predict", false, "predict the rows of -data with the model of -model, one a line")
	if err := commandline.Parse(f, args, help); err != nil {
		return c, err
	}
	return c, c.check()
}

func (c *config) setBandwidths(list string) error {
	c.bandwidths = nil
	for _, field := range strings.Split(list, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		if err != nil || !(v > 0) {
			return fmt.Errorf("%q is not a positive number", field)
		}
		c.bandwidths = append(c.bandwidths, v)
	}
	return nil
}

func (c *config) check() error {
	switch {
	case c.data == "":
		return errors.New("-data is missing (-h lists the flags)")
	case c.predict && c.model == "":
		return errors.New("-predict needs -model")
	}
	return nil
}
