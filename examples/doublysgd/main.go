// Command doublysgd trains a classifier of package doublysgd on a file of yours:
//
//	doublysgd -data rows.csv.gz -model rows.model -curve curve.png
//
// A file is CSV with the label in one of its columns, svmlight, or IDX, each plain
// or compressed by gzip. A part of the rows is held back to test on. The command
// fits with default options, which choose bandwidth, ridge and the number of
// features on rows of the training part; then with 1/2, 1/4, … of the features,
// for a learning curve: the error on the test rows against the number of features.
// It saves the classifier, reads it back and checks that both predict the same.
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

	"github.com/rkhs-go/rkhs/examples/internal/commandline"
)

func main() {
	commandline.Main("doublysgd", func(ctx context.Context, args []string) error {
		return run(ctx, args, os.Stdout, os.Stderr)
	})
}

// config is the command line.
type config struct {
	data, model, curve string
	target             int
	test               float64
	seed               uint64
	features           int
	ridge              float64
	standardize        bool
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	c, err := parse(args, stdout)
	if err != nil {
		return err
	}
	return c.train(ctx, stdout, stderr)
}

func parse(args []string, help io.Writer) (config, error) {
	var c config
	f := flag.NewFlagSet("doublysgd", flag.ContinueOnError)
	f.StringVar(&c.data, "data", "", "read rows from `file`")
	f.IntVar(&c.target, "target", 0, "`column` of the label in a CSV file: 1 is the first, -1 the last (default the last)")
	f.Float64Var(&c.test, "test", 0.25, "`fraction` of the rows to test on")
	f.Uint64Var(&c.seed, "seed", 1, "seed of the split and of the features")
	f.IntVar(&c.features, "features", 0, "`number` of features (default chosen on rows held out)")
	f.Float64Var(&c.ridge, "ridge", 0, "weight of the penalty (default chosen on rows held out)")
	f.BoolVar(&c.standardize, "standardize", false, "divide each input by its standard deviation, with the median distance as bandwidth")
	f.StringVar(&c.model, "model", "", "save the classifier to `file`")
	f.StringVar(&c.curve, "curve", "doublysgd.png", "draw the learning curve to `file`, a PNG")
	if err := commandline.Parse(f, args, help); err != nil {
		return c, err
	}
	switch {
	case c.data == "":
		return c, errors.New("-data is missing (-h lists the flags)")
	case !(c.test > 0):
		return c, fmt.Errorf("-test %v: the learning curve needs rows to test on", c.test)
	}
	return c, nil
}
