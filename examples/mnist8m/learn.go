package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
)

// figures are those of one line.
type figures struct {
	rows      int
	perSecond float64
	percent   float64 // error on the test images
	peak      float64 // MB, 0 where it is not known
}

// chunkRows is the number of rows of an update.
const chunkRows = 1000

// learn takes in the stream and prints figures at intervals.
func (c *config) learn(ctx context.Context, w io.Writer) ([]figures, error) {
	train, err := load(c.data, "train")
	if err != nil {
		return nil, err
	}
	test, err := load(c.data, "t10k")
	if err != nil {
		return nil, err
	}
	clean := test.plain()
	l, err := doublysgd.NewClassLearner([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, &doublysgd.Options{Features: c.features, Seed: c.seed})
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(w, "%12s %12s %12s %12s\n", "rows", "rows/s", "test error %", "peak MB")
	var lines []figures
	for l.Rows() < c.rows {
		from, start := l.Rows(), time.Now()
		for l.Rows() < min(from+c.every, c.rows) {
			if err := ctx.Err(); err != nil {
				return lines, err
			}
			n := min(chunkRows, c.rows-l.Rows(), from+c.every-l.Rows())
			if err := l.Update(train.distorted(n, c.seed, uint64(l.Rows()))); err != nil {
				return lines, err
			}
		}
		f := figures{rows: l.Rows(), perSecond: float64(l.Rows()-from) / time.Since(start).Seconds()}
		if f.percent, err = testError(l, clean, test.labels); err != nil {
			return lines, err
		}
		f.peak = peakMemory()
		fmt.Fprintf(w, "%12d %12.0f %12.2f %12.0f\n", f.rows, f.perSecond, f.percent, f.peak)
		lines = append(lines, f)
	}
	return lines, nil
}

func testError(l *doublysgd.ClassLearner, x *mat.Dense, labels []float64) (float64, error) {
	m, err := l.Model(context.Background())
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

// peakMemory returns the largest resident memory of the process so far in MB, where
// the system tells it as Linux does.
func peakMemory() float64 {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if value, ok := strings.CutPrefix(s.Text(), "VmHWM:"); ok {
			var kilobytes float64
			fmt.Sscan(value, &kilobytes)
			return kilobytes / 1e3
		}
	}
	return 0
}
