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
	"os/signal"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, oneLine(err))
		os.Exit(1)
	}
}

// oneLine names the command unless the message begins with its name.
func oneLine(err error) string {
	message := strings.ReplaceAll(err.Error(), "\n", "; ")
	if strings.HasPrefix(message, "doublysgd: ") {
		return message
	}
	return "doublysgd: " + message
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
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	return c.train(ctx, stdout, stderr)
}

func parse(args []string, help io.Writer) (config, error) {
	var c config
	f := flag.NewFlagSet("doublysgd", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&c.data, "data", "", "read rows from `file`")
	f.IntVar(&c.target, "target", 0, "`column` of the label in a CSV file: 1 is the first, -1 the last (default the last)")
	f.Float64Var(&c.test, "test", 0.25, "`fraction` of the rows to test on")
	f.Uint64Var(&c.seed, "seed", 1, "seed of the split and of the features")
	f.IntVar(&c.features, "features", 0, "`number` of features (default chosen on rows held out)")
	f.Float64Var(&c.ridge, "ridge", 0, "weight of the penalty (default chosen on rows held out)")
	f.BoolVar(&c.standardize, "standardize", false, "divide each input by its standard deviation, with the median distance as bandwidth")
	f.StringVar(&c.model, "model", "", "save the classifier to `file`")
	f.StringVar(&c.curve, "curve", "doublysgd.png", "draw the learning curve to `file`, a PNG")
	err := f.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		f.SetOutput(help)
		f.Usage()
		return c, err
	case err != nil:
		return c, fmt.Errorf("%w (-h lists the flags)", err)
	case f.NArg() > 0:
		return c, fmt.Errorf("unexpected argument %q (-h lists the flags)", f.Arg(0))
	case c.data == "":
		return c, errors.New("-data is missing (-h lists the flags)")
	case !(c.test > 0):
		return c, fmt.Errorf("-test %v: the learning curve needs rows to test on", c.test)
	}
	return c, nil
}
