// Command alignment learns a kernel for labels that are the sign of a sum of three
// sines. It finds their frequencies only from the labels. It has no arguments, reads no
// files, and writes a picture to the current folder.
//
// The program compares support vector machines on the learned kernel and on Gaussian
// kernels with learned bandwidths. Every learner accepts the learned kernel: with it,
// package slkl needs only a few landmarks. Because the frequencies are right, the
// classifier also predicts labels outside the range of the training rows.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

func main() {
	if flag.Parse(); flag.NArg() > 0 {
		log.Fatal("alignment takes no arguments")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if _, err := run(ctx, os.Stdout, "."); err != nil {
		log.Fatal(err)
	}
}

var frequencies = []float64{math.Sqrt(2), math.Sqrt(12), math.Sqrt(60)}

func sumOfSines(x float64) (sum float64) {
	for _, f := range frequencies {
		sum += math.Sin(f * x)
	}
	return sum
}

// draw draws rows in [low, high] and the signs of the sum of sines as labels.
func draw(rows int, low, high float64, r *rand.Rand) (x, labels *mat.Dense) {
	x, labels = mat.NewDense(rows, 1, nil), mat.NewDense(rows, 1, nil)
	for i := range rows {
		v := low + (high-low)*r.Float64()
		x.Set(i, 0, v)
		labels.Set(i, 0, math.Copysign(1, sumOfSines(v)))
	}
	return x, labels
}

// outcome is the result of the program.
type outcome struct {
	found                   []float64 // the learned frequencies, in the order of selection
	sines, sparse, gaussian errorRates
}

// errorRates are fractions of wrong labels in the range of the training rows and outside.
type errorRates struct{ inside, outside float64 }

// run writes a report to w and a picture to dir.
func run(ctx context.Context, w io.Writer, dir string) (o outcome, err error) {
	r := rand.New(rand.NewPCG(1, 0))
	x, labels := draw(300, -10, 10, r)

	sines, err := alignment.FitClassifier(ctx, x, labels, &alignment.Options{Criterion: alignment.Alignment, Family: kernel.Dirichlet{}})
	if err != nil {
		return o, err
	}
	learned := sines.Model().Learned()
	for i, s := range learned.Iterations {
		f := s.Kernel.(kernel.Dirichlet).Sigma
		o.found = append(o.found, f)
		fmt.Fprintf(w, "%d. frequency %.4f (nearest true frequency: %.4f), alignment %.4f after %d candidates\n",
			i+1, f, nearest(f), s.Alignment, s.Evaluations)
	}

	gaussian, err := alignment.FitClassifier(ctx, x, labels, &alignment.Options{Criterion: alignment.Alignment})
	if err != nil {
		return o, err
	}
	sparse, err := slkl.FitClassifier(ctx, x, labels, &slkl.Options{Kernels: []kernel.Kernel{sines.Model().Kernel()}})
	if err != nil {
		return o, err
	}
	insideX, insideLabels := draw(2000, -10, 10, r)
	outsideX, outsideLabels := draw(2000, 10, 15, r)
	fmt.Fprintf(w, "%-32s %8s %16s %16s\n", "", "points", "error in [−10,10]", "in [10,15]")
	for _, c := range []struct {
		name   string
		model  rkhs.Classifier
		points int
		result *errorRates
	}{
		{"the learned frequencies, SVM", sines, sines.Model().ModelOrder(), &o.sines},
		{"the learned frequencies, slkl", sparse, sparse.Model().ModelOrder(), &o.sparse},
		{"a sum of Gaussian kernels, SVM", gaussian, gaussian.Model().ModelOrder(), &o.gaussian},
	} {
		if c.result.inside, err = errorRate(c.model, insideX, insideLabels); err != nil {
			return o, err
		}
		if c.result.outside, err = errorRate(c.model, outsideX, outsideLabels); err != nil {
			return o, err
		}
		fmt.Fprintf(w, "%-32s %8d %15.2f %% %14.2f %%\n", c.name, c.points, 100*c.result.inside, 100*c.result.outside)
	}
	path := filepath.Join(dir, "alignment.png")
	if err := picture(path, sines); err != nil {
		return o, err
	}
	_, err = fmt.Fprintf(w, "wrote %s\n", path)
	return o, err
}

// nearest returns the true frequency nearest to a learned one.
func nearest(found float64) float64 {
	best := math.Inf(1)
	for _, f := range frequencies {
		if math.Abs(f-found) < math.Abs(best-found) {
			best = f
		}
	}
	return best
}

// errorRate returns the fraction of wrong labels.
func errorRate(c rkhs.Classifier, x, labels *mat.Dense) (float64, error) {
	p, err := c.Predict(x)
	if err != nil {
		return 0, err
	}
	right, err := dataset.Accuracy(p, labels)
	return 1 - right, err
}
