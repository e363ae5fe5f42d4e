package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

// drawSurface draws rows in [−5, 5]² with noisy values of sin‖x‖/‖x‖.
func drawSurface(rows int, noise float64, r *rand.Rand) (x, y *mat.Dense) {
	x, y = mat.NewDense(rows, 2, nil), mat.NewDense(rows, 1, nil)
	for i := range rows {
		a, b := 10*r.Float64()-5, 10*r.Float64()-5
		norm := math.Hypot(a, b)
		x.SetRow(i, []float64{a, b})
		y.Set(i, 0, math.Sin(norm)/norm+noise*r.NormFloat64())
	}
	return x, y
}

// surface learns a function of the plane with a few landmarks, and compares it with kernel
// ridge regression on all rows.
func surface(ctx context.Context, picture string, part float64) (r result, err error) {
	source := rand.New(rand.NewPCG(1, 0))
	x, y := drawSurface(int(600*part), 0.1, source)
	testX, testY := drawSurface(1000, 0, source)

	median, err := kernel.MedianDistance(x, 0)
	if err != nil {
		return r, err
	}
	kernels := []kernel.Kernel{kernel.Gaussian{Sigma: median}, kernel.Gaussian{Sigma: median / 2}}

	model, err := slkl.Fit(ctx, x, y, &slkl.Options{Kernels: kernels}) // selects landmarks and penalty
	if err != nil {
		return r, err
	}
	predicted, err := model.Predict(testX)
	if err != nil {
		return r, err
	}
	if r.error, err = dataset.RMSE(predicted, testY); err != nil {
		return r, err
	}

	exact, err := fitRidge(kernels, x, y)
	if err != nil {
		return r, err
	}
	if predicted, err = exact.predict(testX); err != nil {
		return r, err
	}
	if r.baseline, err = dataset.RMSE(predicted, testY); err != nil {
		return r, err
	}
	r.usual = fmt.Sprintf("exact kernel ridge regression, %d terms", exact.ModelOrder())
	certificate := model.Report().Outputs[0]
	r.remark = fmt.Sprintf("%d landmarks of %d have weight; relative duality gap %.0e", model.ModelOrder(), int(600*part), certificate.RelativeGap())
	return r, pictureSurface(picture, model)
}

// pictureSurface draws a map of the function with its landmarks.
func pictureSurface(path string, m *slkl.Model) error {
	f, err := newGrid(-5, 5, m.Predict)
	if err != nil {
		return err
	}
	p := newPlot("slkl: the learned surface and its landmarks", "first input", "second input")
	bar := addMap(p, f, 1, "f(x)")
	var landmarks plotter.XYs
	for _, part := range m.Expansions() { // one per kernel
		if part.ModelOrder() > 0 {
			landmarks = append(landmarks, pairs(mat.DenseCopyOf(part.Points))...)
		}
	}
	if err := addPoints(p, "landmarks", landmarks, black, 2.5); err != nil {
		return err
	}
	bar.Legend, p.Legend = p.Legend, plot.NewLegend() // next to the bar
	return writePicture(path, square+vg.Centimeter, panel{Plot: p, width: square}, bar)
}
