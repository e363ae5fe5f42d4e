// Command gp learns a function of one variable from noisy values as the posterior of
// a Gaussian process, and draws its mean with the bands that hold 95 % of it. It takes
// no arguments, reads no files, and leaves a picture in the current folder.
//
// There are no values in the middle: the band is wide there. Bandwidth, amplitude and
// noise are found from the data.
package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd/gp"
	"github.com/rkhs-go/rkhs/examples/internal/commandline"
)

func main() {
	commandline.Alone("gp", func(ctx context.Context) error {
		_, err := run(ctx, os.Stdout, ".", 2000)
		return err
	})
}

// posterior is what is known of the function at points of a grid.
type posterior struct {
	task
	at        []float64
	mean      []float64
	deviation []float64 // of the function
	noise     float64   // standard deviation of the noise that was found
}

// run learns from so many rows, writes a report to w and a picture to dir.
func run(ctx context.Context, w io.Writer, dir string, rows int) (posterior, error) {
	p, report, err := learn(ctx, drawTask(rows, 1))
	if err != nil {
		return p, err
	}
	fmt.Fprintf(w, "%d noisy rows, none of them between %g and %g\n", rows, gapFrom, gapTo)
	fmt.Fprintf(w, "noise: standard deviation %.3f found, %.3f true\n", p.noise, noise)
	fmt.Fprintf(w, "%d centres, %d iterations, relative error at most %.1e\n", report.Centres, report.Iterations, report.Error)
	fmt.Fprintf(w, "the true function is within the band of 95 %% at %.0f %% of the grid\n", 100*p.inside())
	path := filepath.Join(dir, "gp.png")
	if err := picture(path, p); err != nil {
		return p, err
	}
	fmt.Fprintf(w, "wrote %s\n", path)
	return p, nil
}

// learn finds the posterior at the points of the grid with the default options.
func learn(ctx context.Context, t task) (posterior, gp.Report, error) {
	p := posterior{task: t, at: grid()}
	test := mat.NewVecDense(len(p.at), p.at)
	model, err := gp.Fit(ctx, t.x, t.y, nil)
	if err != nil {
		return p, gp.Report{}, err
	}
	mean, err := model.Predict(test)
	if err != nil {
		return p, model.Report(), err
	}
	p.mean = mean.RawMatrix().Data
	variance, err := model.Variance(ctx, test)
	if err != nil {
		return p, model.Report(), err
	}
	for _, v := range variance.RawMatrix().Data {
		p.deviation = append(p.deviation, math.Sqrt(v))
	}
	p.noise = math.Sqrt(model.Noise()[0])
	return p, model.Report(), nil
}

// inside returns the fraction of the grid at which the true function is in the band.
func (p posterior) inside() float64 {
	count := 0.0
	for i, x := range p.at {
		if math.Abs(truth(x)-p.mean[i]) <= width*p.deviation[i] {
			count++
		}
	}
	return count / float64(len(p.at))
}
