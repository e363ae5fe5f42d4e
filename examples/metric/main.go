// Command metric learns the relevant directions of a table with package metric, and
// measures how much they improve ridge regression. It has no arguments, reads no files,
// and writes a picture to the current folder.
//
// The targets sin(2a) + b·c depend on three of twenty coordinates in a rotated basis, so
// every column is relevant. Rows are far from each other in twenty dimensions, and a
// bandwidth for each column does not help. With the metric there are three dimensions.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/metric"
	"github.com/rkhs-go/rkhs/ridge"
)

func main() {
	if flag.Parse(); flag.NArg() > 0 {
		log.Fatal("metric takes no arguments")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if _, err := run(ctx, os.Stdout, ".", 800); err != nil {
		log.Fatal(err)
	}
}

// outcome is the result of the program.
type outcome struct {
	angle                        float64 // between the learned and the true directions, in radians
	metric, isotropic, bandwidth float64 // test errors of ridge regression
}

// run fits the given number of rows, writes a report to w and a picture to dir.
func run(ctx context.Context, w io.Writer, dir string, rows int) (o outcome, err error) {
	r := rand.New(rand.NewPCG(2, 0))
	t := newTask(r)
	x, y := t.draw(rows, noise, r)
	found, err := metric.Learn(ctx, x, y, nil)
	if err != nil {
		return o, err
	}
	if !found.Learned {
		return o, fmt.Errorf("no metric improves on the identity on %d rows", rows)
	}
	units := deviations(x)
	o.angle = angle(found.Directions.Slice(0, active, 0, inputs), scaled(t.active(), units))
	fmt.Fprintf(w, "%d rows of %d columns; targets sin(2a) + b·c of a rotated basis, noise of standard deviation %g\n", rows, inputs, noise)
	fmt.Fprintf(w, "shares of the directions: %.3f\n", found.Shares[:active+2])
	fmt.Fprintf(w, "the first %d are within %.3f rad of the true directions\n", active, o.angle)
	fmt.Fprintf(w, "importance of the columns: %.3f to %.3f\n", slices.Min(found.Importance), slices.Max(found.Importance))

	// The default criterion selects one bandwidth for all columns, with the same error here.
	aligned, err := alignment.Search(ctx, x, y, &alignment.Options{Criterion: alignment.Alignment, Family: kernel.ARD{Of: kernel.Gaussian{}}})
	if err != nil {
		return o, err
	}
	testX, testY := t.draw(2000, 0, r)
	fmt.Fprintf(w, "%-38s %10s\n", "ridge regression with", "test error")
	for _, c := range []struct {
		name  string
		opts  ridge.Options
		error *float64
	}{
		{"the metric", ridge.Options{Kernel: found.Kernel, Ridge: found.Ridge(rows)}, &o.metric},
		{"one bandwidth for all columns", ridge.Options{Metric: kernel.NoMetric}, &o.isotropic},
		{"a bandwidth for each column, alignment", ridge.Options{Kernel: aligned.Kernel}, &o.bandwidth},
	} {
		model, err := ridge.Fit(ctx, x, y, &c.opts)
		if err != nil {
			return o, err
		}
		predicted, err := model.Predict(testX)
		if err != nil {
			return o, err
		}
		if *c.error, err = dataset.RMSE(predicted, testY); err != nil {
			return o, err
		}
		fmt.Fprintf(w, "%-38s %10.3f\n", c.name, *c.error)
	}
	path := filepath.Join(dir, "metric.png")
	if err := picture(path, found, units, x, y); err != nil {
		return o, err
	}
	_, err = fmt.Fprintf(w, "wrote %s\n", path)
	return o, err
}

// deviations returns the standard deviation of each column, its unit in the metric.
func deviations(x *mat.Dense) []float64 {
	units := make([]float64, inputs)
	for j := range units {
		units[j] = stat.PopStdDev(mat.Col(nil, j, x), nil)
	}
	return units
}

// scaled multiplies each column of a by its factor. It converts directions to these units.
func scaled(a mat.Matrix, factors []float64) *mat.Dense {
	var s mat.Dense
	s.Mul(a, mat.NewDiagDense(len(factors), factors))
	return &s
}
