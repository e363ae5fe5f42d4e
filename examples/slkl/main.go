// Command slkl learns a function with package slkl, and draws it with its landmarks. It
// has no arguments, reads no files, and writes a picture to the current folder.
//
// All rows are candidate landmarks. The penalty, which cross-validation selects, leaves
// few with a weight. Package ridge then fits another function with the learned kernel. To
// fit a file, see the command rkhs.
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
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/slkl"
)

func main() {
	if flag.Parse(); flag.NArg() > 0 {
		log.Fatal("slkl takes no arguments")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if _, err := run(ctx, os.Stdout, ".", 400); err != nil {
		log.Fatal(err)
	}
}

// noise is the standard deviation of the noise.
const noise = 0.1

// wave has a frequency that grows with x.
func wave(x float64) float64 { return math.Sin(x * x / 2) }

// bump is another function.
func bump(x float64) float64 { return math.Exp(-(x - 3) * (x - 3)) }

// draw draws rows in [0, 5] with noisy values of f.
func draw(rows int, f func(float64) float64, noise float64, r *rand.Rand) (x, y *mat.Dense) {
	x, y = mat.NewDense(rows, 1, nil), mat.NewDense(rows, 1, nil)
	for i := range rows {
		v := 5 * r.Float64()
		x.Set(i, 0, v)
		y.Set(i, 0, f(v)+noise*r.NormFloat64())
	}
	return x, y
}

// outcome is the result of the program. The errors are without noise.
type outcome struct {
	error, other float64
	landmarks    int
	gap          float64
}

// run fits the given number of rows, writes a report to w and a picture to dir.
func run(ctx context.Context, w io.Writer, dir string, rows int) (o outcome, err error) {
	r := rand.New(rand.NewPCG(1, 0))
	x, y := draw(rows, wave, noise, r)
	// Each landmark has a term for each kernel. Few terms have a weight.
	kernels := []kernel.Kernel{kernel.Gaussian{Sigma: 0.25}, kernel.Gaussian{Sigma: 1}}
	model, err := slkl.Fit(ctx, x, y, &slkl.Options{Kernels: kernels})
	if err != nil {
		return o, err
	}
	if o.error, err = rmse(model, wave, r); err != nil {
		return o, err
	}
	report := model.Report().Outputs[0]
	o.landmarks, o.gap = model.ModelOrder(), report.RelativeGap()
	fmt.Fprintf(w, "%d rows with noise of %g: %d landmarks have weight, RMSE %.3f\n", rows, noise, o.landmarks, o.error)
	fmt.Fprintf(w, "nu %.3g, relative duality gap %.0e\n", report.Penalty, o.gap)

	otherX, otherY := draw(rows, bump, noise, r)
	other, err := ridge.Fit(ctx, otherX, otherY, &ridge.Options{Kernel: model.Kernel(0)})
	if err != nil {
		return o, err
	}
	if o.other, err = rmse(other, bump, r); err != nil {
		return o, err
	}
	fmt.Fprintf(w, "ridge regression of another function with the learned kernel: RMSE %.3f\n", o.other)

	path := filepath.Join(dir, "slkl.png")
	if err := picture(path, model, x, y); err != nil {
		return o, err
	}
	_, err = fmt.Fprintf(w, "wrote %s\n", path)
	return o, err
}

// rmse returns the error of a model on new rows.
func rmse(m rkhs.Model, f func(float64) float64, r *rand.Rand) (float64, error) {
	x, y := draw(1000, f, 0, r)
	predicted, err := m.Predict(x)
	if err != nil {
		return 0, err
	}
	return dataset.RMSE(predicted, y)
}
