// Command doublysgd learns the colours of the squares of a board from noisy labels, with
// random features. It has no arguments, reads no files, and writes a picture and a model
// to the current folder.
//
// The default options select the kernel and the number of features. More features
// approximate the kernel better: the program also fits 32, 64, … features from several
// seeds, and draws the test error against the number of features. The file of a model
// contains the kernel, a seed and the coefficients. The loaded model predicts the same
// bits.
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
	draws = 3    // of the features, for each number of features
)

// board draws rows in the unit square. The labels are the colours of their squares, 0 or 1;
// the given fraction of the labels is wrong.
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

// point has the test errors for a number of features: the mean, the least and the largest
// over the draws.
type point struct {
	features                    int
	error, least, most, seconds float64
}

// run fits the given number of rows, writes a report to w, and a picture and a model to
// dir. The last point is for the default options.
func run(ctx context.Context, w io.Writer, dir string, rows int) ([]point, error) {
	source := rand.New(rand.NewPCG(1, 0))
	x, labels := board(rows, wrong, source)
	testX, testLabels := board(10000, 0, source)
	fmt.Fprintf(w, "%d rows, %.0f %% of the labels wrong; 10000 test rows with the right labels\n", rows, 100*wrong)
	fmt.Fprintf(w, "%10s %12s %16s %10s\n", "features", "test error", "over draws", "seconds")
	best, last, err := fit(ctx, x, labels, testX, testLabels, nil)
	if err != nil {
		return nil, err
	}
	var points []point
	for features := 32; features <= 1024; features *= 2 {
		p := point{features: features, least: 1}
		for seed := range uint64(draws) {
			_, q, err := fit(ctx, x, labels, testX, testLabels, &doublysgd.Options{Features: features, Seed: seed, Kernel: best.Model().Kernel()})
			if err != nil {
				return nil, err
			}
			p.error, p.seconds = p.error+q.error/draws, p.seconds+q.seconds/draws
			p.least, p.most = min(p.least, q.error), max(p.most, q.error)
		}
		points = append(points, p)
	}
	points = append(points, last)
	for _, p := range points {
		fmt.Fprintf(w, "%10d %10.2f %% %5.2f to %5.2f %% %10.2f\n", p.features, 100*p.error, 100*p.least, 100*p.most, p.seconds)
	}
	r := best.Report()
	fmt.Fprintf(w, "the default options selected %d features of %v, the ridge %.0e and the loss %T\n", r.Features, best.Model().Kernel(), r.Ridge, best.Loss())
	if err := save(w, filepath.Join(dir, "doublysgd.model"), best, testX); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "doublysgd.png")
	if err := picture(path, points, best); err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(w, "wrote %s\n", path)
	return points, err
}

// fit returns a classifier and its test error.
func fit(ctx context.Context, x, labels, testX, testLabels *mat.Dense, o *doublysgd.Options) (*doublysgd.Classifier, point, error) {
	start := time.Now()
	c, err := doublysgd.FitClassifier(ctx, x, labels, o)
	if err != nil {
		return nil, point{}, err
	}
	p := point{features: c.Report().Features, seconds: time.Since(start).Seconds()}
	p.error, err = errorRate(c, testX, testLabels)
	p.least, p.most = p.error, p.error
	return c, p, err
}

// errorRate returns the fraction of wrong labels.
func errorRate(c *doublysgd.Classifier, x, labels *mat.Dense) (float64, error) {
	predicted, err := c.Predict(x)
	if err != nil {
		return 0, err
	}
	right, err := dataset.Accuracy(predicted, labels)
	return 1 - right, err
}

// save writes the classifier, and checks that the loaded classifier predicts the same bits.
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
		return errors.New("the loaded classifier has different scores")
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "saved to %s, %d bytes; the loaded classifier predicts the same bits\n", path, info.Size())
	return err
}
