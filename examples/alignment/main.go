// Command alignment learns a kernel by alignment. Without a file it does so for
// labels that are the sign of a sum of sines: it finds their frequencies, and
// compares the errors with those of methods that choose from a grid. The picture
// alignment.png shows the target, the frequencies found and the errors.
//
//	alignment -runs 1
//	alignment -data rows.csv.gz -classify
//	alignment -data rows.csv.gz -columns -sparse
//
// With -data it learns from a file of yours, of CSV, svmlight or IDX, each plain
// or compressed by gzip, with the target in one column. Columns are scaled to
// standard deviation 1. -columns learns a bandwidth for each of them; -sparse hands
// the learned kernel to package slkl, as is right where rows are too many for a
// model that holds their Gram matrix.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/rkhs-go/rkhs/examples/internal/commandline"
)

func main() {
	commandline.Main("alignment", func(ctx context.Context, args []string) error {
		return run(ctx, args, os.Stdout)
	})
}

// config is the command line.
type config struct {
	data            string
	target          int
	classify        bool
	columns, sparse bool
	test            float64
	picture         string
	runs            int
	seed            uint64
	given           map[string]bool
}

func run(ctx context.Context, args []string, w io.Writer) error {
	c, err := parse(args, w)
	if err != nil {
		return err
	}
	if c.data != "" {
		return c.runFile(ctx, w)
	}
	return c.runSines(ctx, w)
}

func parse(args []string, help io.Writer) (*config, error) {
	c := &config{given: make(map[string]bool)}
	f := flag.NewFlagSet("alignment", flag.ContinueOnError)
	f.StringVar(&c.data, "data", "", "learn from `file` in place of the sum of sines")
	f.IntVar(&c.target, "target", 0, "`column` of the target in a CSV file: 1 is the first, -1 the last (default the last)")
	f.BoolVar(&c.classify, "classify", false, "the target is the label of a class, a whole number")
	f.BoolVar(&c.columns, "columns", false, "learn a bandwidth for each column")
	f.BoolVar(&c.sparse, "sparse", false, "hand the learned kernel to package slkl")
	f.Float64Var(&c.test, "test", 0.25, "`fraction` of the rows to test on")
	f.StringVar(&c.picture, "picture", "alignment.png", "write the picture of the sum of sines to `file`")
	f.IntVar(&c.runs, "runs", 3, "`number` of draws of the sum of sines")
	f.Uint64Var(&c.seed, "seed", 1, "seed of the draws and of the split")
	if err := commandline.Parse(f, args, help); err != nil {
		return nil, err
	}
	f.Visit(func(g *flag.Flag) { c.given[g.Name] = true })
	return c, c.check()
}

func (c *config) check() error {
	if c.runs < 1 {
		return fmt.Errorf("-runs %d, want 1 or more", c.runs)
	}
	if !(c.test > 0) {
		return fmt.Errorf("-test %v, want more than 0", c.test)
	}
	for _, name := range []string{"target", "classify", "columns", "sparse", "test"} {
		if c.data == "" && c.given[name] {
			return fmt.Errorf("-%s needs -data", name)
		}
	}
	return nil
}
