// Command gp fits a Gaussian process to noisy values of a function, and draws the
// posterior mean with 95 % bands. It has no arguments, reads no files, and writes a
// picture to the current folder.
//
// There are no rows in the middle, where the band is wide. Fit selects the bandwidth, the
// amplitude and the noise.
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

	"github.com/rkhs-go/rkhs/doublysgd/gp"
)

func main() {
	if flag.Parse(); flag.NArg() > 0 {
		log.Fatal("gp takes no arguments")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if _, err := run(ctx, os.Stdout, ".", 2000); err != nil {
		log.Fatal(err)
	}
}

// The rows are in [from, to] outside the gap. The noise has this standard deviation.
const (
	from, to       = 0.0, 10.0
	gapFrom, gapTo = 4.5, 6.5
	noise          = 0.3
)

func truth(x float64) float64 { return math.Sin(x) + math.Sin(2.3*x)/2 }

// draw draws noisy values y at rows x.
func draw(rows int, seed uint64) (x, y *mat.VecDense) {
	r := rand.New(rand.NewPCG(seed, 0))
	x, y = mat.NewVecDense(rows, nil), mat.NewVecDense(rows, nil)
	for i := range rows {
		at := from + (to-from-(gapTo-gapFrom))*r.Float64()
		if at > gapFrom {
			at += gapTo - gapFrom
		}
		x.SetVec(i, at)
		y.SetVec(i, truth(at)+noise*r.NormFloat64())
	}
	return x, y
}

// grid returns points over the range of the rows, with a margin of one on each side.
func grid() *mat.VecDense {
	at := mat.NewVecDense(241, nil)
	for i := range at.Len() {
		at.SetVec(i, from-1+(to-from+2)*float64(i)/float64(at.Len()-1))
	}
	return at
}

// posterior is the posterior of the function at the points of a grid.
type posterior struct {
	x, y      *mat.VecDense // the training rows
	at        *mat.VecDense
	mean      *mat.Dense
	deviation []float64 // of the function
	noise     float64   // the selected standard deviation of the noise
}

// run fits the given number of rows, writes a report to w and a picture to dir.
func run(ctx context.Context, w io.Writer, dir string, rows int) (p posterior, err error) {
	p.x, p.y = draw(rows, 1)
	p.at = grid()
	model, err := gp.Fit(ctx, p.x, p.y, nil)
	if err != nil {
		return p, err
	}
	if p.mean, err = model.Predict(p.at); err != nil {
		return p, err
	}
	variance, err := model.Variance(ctx, p.at)
	if err != nil {
		return p, err
	}
	for _, v := range variance.RawMatrix().Data {
		p.deviation = append(p.deviation, math.Sqrt(v))
	}
	p.noise = math.Sqrt(model.Noise()[0])

	report := model.Report()
	fmt.Fprintf(w, "%d noisy rows outside the gap from %g to %g\n", rows, gapFrom, gapTo)
	fmt.Fprintf(w, "noise: standard deviation %.3f selected, %.3f true\n", p.noise, noise)
	fmt.Fprintf(w, "%d iterations, relative error of the mean at most %.1e\n", report.Iterations, report.Error)
	fmt.Fprintf(w, "the true function is in the 95 %% band at %.0f %% of the grid\n", 100*p.inside())
	path := filepath.Join(dir, "gp.png")
	if err := picture(path, p); err != nil {
		return p, err
	}
	_, err = fmt.Fprintf(w, "wrote %s\n", path)
	return p, err
}

// inside returns the fraction of the grid at which the true function is in the band.
func (p posterior) inside() float64 {
	count := 0.0
	for i, deviation := range p.deviation {
		if math.Abs(truth(p.at.AtVec(i))-p.mean.At(i, 0)) <= width*deviation {
			count++
		}
	}
	return count / float64(len(p.deviation))
}
