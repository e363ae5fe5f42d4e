// Command mnist8m learns the ten digits from a stream without end: images of MNIST,
// each shifted and turned a little, made on the fly and taken in by
// doublysgd.ClassLearner.Update, as the eight million distorted digits of the paper
// behind package doublysgd are.
//
//	mnist8m -rows 8000000
//
// Each line tells the rows learned from, the rows per second since the line before
// without the time of testing, the error on the test images, which are not distorted,
// and the largest resident memory of the process so far. It does not grow with the
// rows.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rkhs-go/rkhs/examples/internal/commandline"
)

func main() {
	commandline.Main("mnist8m", func(ctx context.Context, args []string) error {
		_, err := run(ctx, args, os.Stdout)
		return err
	})
}

// config is the command line.
type config struct {
	data        string
	rows, every int
	features    int
	seed        uint64
}

func run(ctx context.Context, args []string, w io.Writer) ([]figures, error) {
	c, err := parse(args, w)
	if err != nil {
		return nil, err
	}
	return c.learn(ctx, w)
}

func parse(args []string, help io.Writer) (config, error) {
	var c config
	data := os.Getenv("RKHS_DATA")
	if data == "" {
		data = filepath.Join("..", "shared", "data")
	}
	f := flag.NewFlagSet("mnist8m", flag.ContinueOnError)
	f.StringVar(&c.data, "data", data, "`folder` of the images of MNIST, RKHS_DATA if that is set")
	f.IntVar(&c.rows, "rows", 8000000, "`number` of distorted images to learn from")
	f.IntVar(&c.every, "every", 0, "`rows` from one line of figures to the next (default a tenth of all)")
	f.IntVar(&c.features, "features", 8192, "`number` of features")
	f.Uint64Var(&c.seed, "seed", 1, "seed of the distortions and of the features")
	if err := commandline.Parse(f, args, help); err != nil {
		return c, err
	}
	if c.rows < 1 || c.every < 0 || c.features < 1 {
		return c, fmt.Errorf("-rows %d -every %d -features %d, want 1 or more", c.rows, c.every, c.features)
	}
	if c.every == 0 {
		c.every = max(1, c.rows/10)
	}
	return c, nil
}
