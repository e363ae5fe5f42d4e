// Command mnist8m learns the ten digits from a stream of MNIST images with random shifts
// and rotations, with doublysgd.ClassLearner.Update. The paper of package doublysgd uses
// eight million such images.
//
//	mnist8m -data folder -rows 8000000
//
// The folder contains the four files of MNIST. Each line has the number of training rows,
// the rows per second since the previous line without the time of testing, the error on
// the undistorted test images, and the peak memory of the process, which does not grow
// with the rows.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
)

func main() {
	data := flag.String("data", os.Getenv("RKHS_DATA"), "`folder` of the files of MNIST (default: the environment variable RKHS_DATA)")
	rows := flag.Int("rows", 8000000, "`number` of distorted training images")
	features := flag.Int("features", 8192, "`number` of random features")
	flag.Parse()
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if _, err := run(ctx, os.Stdout, *data, *rows, *features); err != nil {
		log.Fatal(err)
	}
}

// figures are the figures of a line.
type figures struct {
	rows      int
	perSecond float64
	percent   float64 // error on the test images
	peak      float64 // MB
}

const (
	chunkRows = 1000 // of an update
	seed      = 1
)

// run trains on the given number of rows, and prints ten lines of figures.
func run(ctx context.Context, w io.Writer, data string, rows, features int) ([]figures, error) {
	if rows < 10 || features < 1 {
		return nil, fmt.Errorf("%d rows and %d features, want at least 10 rows and 1 feature", rows, features)
	}
	train, err := load(data, "train")
	if err != nil {
		return nil, err
	}
	test, err := load(data, "t10k")
	if err != nil {
		return nil, err
	}
	clean := test.plain()
	l, err := doublysgd.NewClassLearner([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, &doublysgd.Options{Features: features, Seed: seed})
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(w, "%12s %12s %12s %12s\n", "rows", "rows/s", "test error %", "peak MB")
	var lines []figures
	for part := 1; part <= 10; part++ {
		from, to, start := l.Rows(), part*rows/10, time.Now()
		for l.Rows() < to {
			if err := ctx.Err(); err != nil {
				return lines, err
			}
			if err := l.Update(train.distorted(min(chunkRows, to-l.Rows()), uint64(l.Rows()))); err != nil {
				return lines, err
			}
		}
		f := figures{rows: to, perSecond: float64(to-from) / time.Since(start).Seconds()}
		if f.percent, err = testError(ctx, l, clean, test.labels); err != nil {
			return lines, err
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		f.peak = float64(m.Sys) / 1e6
		fmt.Fprintf(w, "%12d %12.0f %12.2f %12.0f\n", f.rows, f.perSecond, f.percent, f.peak)
		lines = append(lines, f)
	}
	return lines, nil
}

func testError(ctx context.Context, l *doublysgd.ClassLearner, x *mat.Dense, labels []float64) (float64, error) {
	m, err := l.Model(ctx)
	if err != nil {
		return 0, err
	}
	got, err := m.Predict(x)
	if err != nil {
		return 0, err
	}
	right, err := dataset.Accuracy(got, mat.NewVecDense(len(labels), labels))
	return 100 * (1 - right), err
}
