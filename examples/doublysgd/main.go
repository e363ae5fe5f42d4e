// Command doublysgd learns labels by random features: the squares of a board, of which
// some labels are wrong. It takes no arguments, reads no files, and leaves a picture and
// a model in the current folder.
//
// More features come closer to the kernel behind them: the program fits with 32, 64, …
// of them, then leaves the number open, too, and draws the error on rows not seen before
// over the number of features. The file of a model holds the kernel, a seed and the
// coefficients; loaded again it predicts the same bits.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
)

func main() {
	if flag.Parse(); flag.NArg() > 0 {
		log.Fatal("doublysgd takes no arguments")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if _, err := run(ctx, os.Stdout, ".", 2000); err != nil {
		log.Fatal(err)
	}
}

const (
	side  = 4    // squares of the board
	wrong = 0.05 // fraction of the labels
)

// board draws rows in the unit square, with the colours of the squares that they lie in
// as labels, 0 or 1, of which the fraction given is wrong.
func board(rows int, wrong float64, r *rand.Rand) (x, labels *mat.Dense) {
	x, labels = mat.NewDense(rows, 2, nil), mat.NewDense(rows, 1, nil)
	for i := range rows {
		a, b := r.Float64(), r.Float64()
		x.SetRow(i, []float64{a, b})
		label := math.Mod(math.Floor(side*a)+math.Floor(side*b), 2)
		if r.Float64() < wrong {
			label = 1 - label
		}
		labels.Set(i, 0, label)
	}
	return x, labels
}

// point is what a fit reaches.
type point struct {
	features       int
	error, seconds float64 // error: fraction of the rows not seen before
}

// run learns from so many rows, writes a report to w, and picture and model to dir. The
// last point is that of default options.
func run(ctx context.Context, w io.Writer, dir string, rows int) ([]point, error) {
	source := rand.New(rand.NewPCG(1, 0))
	x, labels := board(rows, wrong, source)
	testX, testLabels := board(10000, 0, source)
	fmt.Fprintf(w, "%d rows, %.0f %% of the labels wrong; tested on 10000 with the right ones\n", rows, 100*wrong)
	fmt.Fprintf(w, "%10s %12s %10s\n", "features", "test error", "seconds")
	var points []point
	var best *doublysgd.Classifier
	for _, features := range []int{32, 64, 128, 256, 512, 1024, 0} {
		start := time.Now()
		c, err := doublysgd.FitClassifier(ctx, x, labels, &doublysgd.Options{Features: features})
		if err != nil {
			return nil, err
		}
		p := point{features: c.Report().Features, seconds: time.Since(start).Seconds()}
		predicted, err := c.Predict(testX)
		if err != nil {
			return nil, err
		}
		right, err := dataset.Accuracy(predicted, testLabels)
		if err != nil {
			return nil, err
		}
		p.error, best = 1-right, c
		points = append(points, p)
		fmt.Fprintf(w, "%10d %10.2f %% %10.2f\n", p.features, 100*p.error, p.seconds)
	}
	r := best.Report()
	fmt.Fprintf(w, "left open, it chose %d features of %v, the ridge %.0e and the loss %T\n", r.Features, best.Model().Kernel(), r.Ridge, best.Loss())
	if err := save(w, filepath.Join(dir, "doublysgd.model"), best, testX); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "doublysgd.png")
	if err := picture(path, points, best); err != nil {
		return nil, err
	}
	_, err := fmt.Fprintf(w, "wrote %s\n", path)
	return points, err
}

// save writes the classifier, and checks that the file predicts the same bits.
func save(w io.Writer, path string, c *doublysgd.Classifier, x mat.Matrix) error {
	if err := rkhs.Save(path, c); err != nil {
		return err
	}
	again, err := rkhs.Load[*doublysgd.Classifier](path)
	if err != nil {
		return err
	}
	p, err := c.Scores(x)
	if err != nil {
		return err
	}
	q, err := again.Scores(x)
	if err != nil {
		return err
	}
	if !mat.Equal(p, q) {
		return errors.New("the saved classifier has other scores than the one in memory")
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "saved to %s, %d bytes that predict the same bits\n", path, info.Size())
	return err
}
