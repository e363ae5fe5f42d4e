// Command ratio learns the ratio of two densities from samples, and uses it twice: for
// regression under covariate shift, and to compare two samples. It has no arguments,
// reads no files, and writes a picture to the current folder.
//
// The program fits a line to training rows near 1 and predicts test rows near 2, where the
// curve has another slope. The weights w = p/q, for the density p of the test rows and the
// density q of the training rows, correct least squares for the shift (Shimodaira, 2000).
// They do not depend on the test targets.
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
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd/ratio"
)

func main() {
	if flag.Parse(); flag.NArg() > 0 {
		log.Fatal("ratio takes no arguments")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if _, err := run(ctx, os.Stdout, ".", 500); err != nil {
		log.Fatal(err)
	}
}

func truth(x float64) float64 { return math.Sin(math.Pi*x) / (math.Pi * x) }

// The training rows and the test rows are normal.
const (
	trainMean, trainDeviation = 1.0, 0.5
	testMean, testDeviation   = 2.0, 0.3
	noise                     = 0.1
)

func normal(rows int, mean, deviation float64, r *rand.Rand) *mat.VecDense {
	x := mat.NewVecDense(rows, nil)
	for i := range rows {
		x.SetVec(i, mean+deviation*r.NormFloat64())
	}
	return x
}

// values returns noisy values of truth.
func values(x *mat.VecDense, noise float64, r *rand.Rand) *mat.VecDense {
	y := mat.NewVecDense(x.Len(), nil)
	for i := range x.Len() {
		y.SetVec(i, truth(x.AtVec(i))+noise*r.NormFloat64())
	}
	return y
}

// outcome is the result of the program.
type outcome struct {
	plain, weighted float64 // RMSE on the test rows
	divergence      float64 // of the test rows from the training rows
	same            float64 // of two samples of one distribution
}

// line is a + b·x.
type line struct{ a, b float64 }

func (l line) rmse(x, y *mat.VecDense) (float64, error) {
	f := mat.NewVecDense(x.Len(), nil)
	for i := range x.Len() {
		f.SetVec(i, l.a+l.b*x.AtVec(i))
	}
	return dataset.RMSE(f, y)
}

// run draws the given number of rows of each kind, writes a report to w and a picture to
// dir.
func run(ctx context.Context, w io.Writer, dir string, rows int) (o outcome, err error) {
	r := rand.New(rand.NewPCG(1, 0))
	train, test := normal(rows, trainMean, trainDeviation, r), normal(rows, testMean, testDeviation, r)
	y := values(train, noise, r)
	// With Plain, w is 0 far from all rows; otherwise log w is.
	m, err := ratio.Fit(ctx, test, train, &ratio.Options{Form: ratio.Plain})
	if err != nil {
		return o, err
	}
	weights, err := m.Predict(train)
	if err != nil {
		return o, err
	}
	var plain, weighted line
	plain.a, plain.b = stat.LinearRegression(train.RawVector().Data, y.RawVector().Data, nil, false)
	weighted.a, weighted.b = stat.LinearRegression(train.RawVector().Data, y.RawVector().Data, weights.RawMatrix().Data, false)
	clean := values(test, 0, r)
	if o.plain, err = plain.rmse(test, clean); err != nil {
		return o, err
	}
	if o.weighted, err = weighted.rmse(test, clean); err != nil {
		return o, err
	}
	fmt.Fprintf(w, "a line fitted to rows near %g: RMSE %.3f on rows near %g, and %.3f with weights\n", trainMean, o.plain, testMean, o.weighted)

	if o.divergence, err = divergence(ctx, test, train); err != nil {
		return o, err
	}
	if o.same, err = divergence(ctx, test, normal(rows, testMean, testDeviation, r)); err != nil {
		return o, err
	}
	fmt.Fprintf(w, "divergence of test rows from training rows: %.2f (true: %.2f); of two samples of test rows: %.2f (true: 0)\n", o.divergence, trueDivergence(), o.same)

	path := filepath.Join(dir, "ratio.png")
	if err := picture(path, m, train, y, plain, weighted); err != nil {
		return o, err
	}
	_, err = fmt.Fprintf(w, "wrote %s\n", path)
	return o, err
}

// divergence estimates the Kullback-Leibler divergence from rows x of p and y of q.
func divergence(ctx context.Context, x, y mat.Matrix) (float64, error) {
	m, err := ratio.Fit(ctx, x, y, nil)
	if err != nil {
		return 0, err
	}
	return m.Divergence(x)
}

// trueDivergence is the divergence of the two normal distributions.
func trueDivergence() float64 {
	s, shift := testDeviation/trainDeviation, (testMean-trainMean)/trainDeviation
	return (s*s + shift*shift - 1 - math.Log(s*s)) / 2
}
