// Command stream learns from lines of CSV on the standard input, one by one and
// without end, by package polk:
//
//	stream -generate 1000000 | stream -classify -model stream.model
//
// Each row is predicted before it is learned from, so that the errors printed are
// those on rows not seen before. The target is a number or, with -classify, the
// label of a class, and stands in the last column or where -target says. Memory
// does not grow with the rows. With -batch the rows of a step are predicted together
// before any of them is learned from, which is faster and averages their noise.
//
// A line that is no row (another number of columns, no number, NaN or infinite, a
// label that is no whole number, a head) is counted and left out; the first few are
// named on the standard error. Ctrl-C and the end of the input end the command in
// the same way: the learner is saved and the last figures are printed. With -resume
// it goes on from the file of -model, bit for bit as the learner that was saved.
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
	commandline.Main("stream", func(ctx context.Context, args []string) error {
		return run(ctx, args, os.Stdin, os.Stdout, os.Stderr)
	})
}

// config is the command line.
type config struct {
	classify, resume bool
	target           int
	batch, every     int
	model            string
	generate         int
	seed             uint64
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	c, err := parse(args, stdout)
	if err != nil {
		return err
	}
	if c.generate > 0 {
		return generate(ctx, stdout, c.generate, c.seed)
	}
	return c.learn(ctx, stdin, stdout, stderr)
}

func parse(args []string, help io.Writer) (config, error) {
	var c config
	f := flag.NewFlagSet("stream", flag.ContinueOnError)
	f.BoolVar(&c.classify, "classify", false, "the target is the label of a class, a whole number")
	f.IntVar(&c.target, "target", -1, "`column` of the target: 1 is the first, -1 the last")
	f.IntVar(&c.batch, "batch", 1, "`rows` to a step: more are faster, and predicted before any of them is learned from")
	f.IntVar(&c.every, "every", 100000, "`rows` from one line of figures to the next")
	f.StringVar(&c.model, "model", "", "save the learner to `file` at the end")
	f.BoolVar(&c.resume, "resume", false, "go on with the learner in the file of -model")
	f.IntVar(&c.generate, "generate", 0, "write so many `rows` of a task of five classes in the plane, and learn nothing")
	f.Uint64Var(&c.seed, "seed", 1, "seed of -generate and of the learner")
	if err := commandline.Parse(f, args, help); err != nil {
		return c, err
	}
	return c, c.check()
}

func (c *config) check() error {
	switch {
	case c.target == 0:
		return errors.New("-target 0: columns are counted from 1, or from the last by -1")
	case c.batch < 1 || c.every < 1:
		return fmt.Errorf("-batch %d -every %d, want 1 or more", c.batch, c.every)
	case c.generate < 0:
		return fmt.Errorf("-generate %d, want 1 or more", c.generate)
	case c.resume && c.model == "":
		return errors.New("-resume needs -model")
	}
	return nil
}
