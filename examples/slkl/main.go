// Command slkl learns a function by a few of its rows, by package slkl, and draws it. It
// takes no arguments, reads no files, and leaves a picture in the current folder.
//
// Of all rows, which are the landmarks that may get a weight, few do: the penalty that is
// chosen by cross-validation decides how many. The kernel that was learned is an ordinary
// one, and package ridge takes it to learn another function. For a
// file of your own, see the command rkhs.
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

// noise is the standard deviation of that of the rows.
const noise = 0.1

// wave swings the faster the farther it goes.
func wave(x float64) float64 { return math.Sin(x * x / 2) }

// bump is another function.
func bump(x float64) float64 { return math.Exp(-(x - 3) * (x - 3)) }

// draw draws rows in [0, 5] with values of f and noise.
func draw(rows int, f func(float64) float64, noise float64, r *rand.Rand) (x, y *mat.Dense) {
	x, y = mat.NewDense(rows, 1, nil), mat.NewDense(rows, 1, nil)
	for i := range rows {
		v := 5 * r.Float64()
		x.Set(i, 0, v)
		y.Set(i, 0, f(v)+noise*r.NormFloat64())
	}
	return x, y
}

// outcome is what the program finds: errors are those to the functions without noise.
type outcome struct {
	error, other float64
	landmarks    int
	gap          float64
}

// run learns from so many rows, writes a report to w and a picture to dir.
func run(ctx context.Context, w io.Writer, dir string, rows int) (o outcome, err error) {
	r := rand.New(rand.NewPCG(1, 0))
	x, y := draw(rows, wave, noise, r)
	// Each landmark has a term of each kernel, and of all of these few have weight.
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
	fmt.Fprintf(w, "ridge regression with the learned kernel, of another function: RMSE %.3f\n", o.other)

	path := filepath.Join(dir, "slkl.png")
	if err := picture(path, model, x, y); err != nil {
		return o, err
	}
	_, err = fmt.Fprintf(w, "wrote %s\n", path)
	return o, err
}

// rmse returns the error of a model on rows not seen before.
func rmse(m rkhs.Model, f func(float64) float64, r *rand.Rand) (float64, error) {
	x, y := draw(1000, f, 0, r)
	predicted, err := m.Predict(x)
	if err != nil {
		return 0, err
	}
	return dataset.RMSE(predicted, y)
}
