// Command ratio learns the ratio of two densities from rows of each, and puts it to
// its two uses: a fit under a shift of the rows, and the question whether two samples
// come from one distribution. It takes no arguments, reads no files, and leaves a
// picture in the current folder.
//
// A line is fitted to rows about 1, but asked for values at rows about 2, where the
// curve goes the other way. Weights w = p/q, the density p of the rows that are asked
// for over the density q of those trained on, make least squares care for the right
// ones (Shimodaira, 2000). The values at the rows that are asked for are not used.
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

// The rows trained on, and those that are asked for, are normal.
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

// values returns those of truth, with noise.
func values(x *mat.VecDense, noise float64, r *rand.Rand) *mat.VecDense {
	y := mat.NewVecDense(x.Len(), nil)
	for i := range x.Len() {
		y.SetVec(i, truth(x.AtVec(i))+noise*r.NormFloat64())
	}
	return y
}

// outcome is what the program prints.
type outcome struct {
	plain, weighted float64 // RMSE at the rows that are asked for
	divergence      float64 // of their density from that of the rows trained on
	same            float64 // divergence of two samples of one distribution
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

// run draws so many rows of each kind, writes a report to w and a picture to dir.
func run(ctx context.Context, w io.Writer, dir string, rows int) (o outcome, err error) {
	r := rand.New(rand.NewPCG(1, 0))
	train, test := normal(rows, trainMean, trainDeviation, r), normal(rows, testMean, testDeviation, r)
	y := values(train, noise, r)
	// Plain learns w itself, which is 0 far from all rows, where log w is.
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
	fmt.Fprintf(w, "a line fitted to rows about %g errs at rows about %g by an RMSE of %.3f, with weights of %.3f\n", trainMean, testMean, o.plain, o.weighted)

	if o.divergence, err = divergence(ctx, test, train); err != nil {
		return o, err
	}
	if o.same, err = divergence(ctx, test, normal(rows, testMean, testDeviation, r)); err != nil {
		return o, err
	}
	fmt.Fprintf(w, "divergence of the two kinds of rows: %.2f (true: %.2f); of two samples of one kind: %.2f (true: 0)\n", o.divergence, trueDivergence(), o.same)

	path := filepath.Join(dir, "ratio.png")
	if err := picture(path, m, train, y, plain, weighted); err != nil {
		return o, err
	}
	_, err = fmt.Fprintf(w, "wrote %s\n", path)
	return o, err
}

// divergence estimates that of Kullback and Leibler from rows x of p and y of q.
func divergence(ctx context.Context, x, y mat.Matrix) (float64, error) {
	m, err := ratio.Fit(ctx, x, y, nil)
	if err != nil {
		return 0, err
	}
	return m.Divergence(x)
}

// trueDivergence is that of the two normal distributions.
func trueDivergence() float64 {
	s, shift := testDeviation/trainDeviation, (testMean-trainMean)/trainDeviation
	return (s*s + shift*shift - 1 - math.Log(s*s)) / 2
}
