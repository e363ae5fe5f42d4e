package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/kernel"
)

const inputs = 10

// drawColumns draws rows of ten columns; the values depend on the first three.
func drawColumns(rows int, noise float64, r *rand.Rand) (x, y *mat.Dense) {
	x, y = mat.NewDense(rows, inputs, nil), mat.NewDense(rows, 1, nil)
	for i := range rows {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = 2*r.Float64() - 1
		}
		y.Set(i, 0, math.Sin(4*row[0])+2*row[1]*row[1]+row[2]+noise*r.NormFloat64())
	}
	return x, y
}

// columns learns a kernel with a bandwidth for each column, and compares it with one
// bandwidth for all columns.
func columns(ctx context.Context, picture string, part float64) (r result, err error) {
	source := rand.New(rand.NewPCG(3, 0))
	x, y := drawColumns(int(400*part), 0.2, source)
	testX, testY := drawColumns(1000, 0, source)

	model, err := alignment.Fit(ctx, x, y, &alignment.Options{Family: kernel.ARD{Of: kernel.Gaussian{}}})
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

	median, err := kernel.MedianDistance(x, 0)
	if err != nil {
		return r, err
	}
	one, err := fitRidge([]kernel.Kernel{kernel.Gaussian{Sigma: median}}, x, y)
	if err != nil {
		return r, err
	}
	if predicted, err = one.predict(testX); err != nil {
		return r, err
	}
	if r.baseline, err = dataset.RMSE(predicted, testY); err != nil {
		return r, err
	}
	r.usual = "kernel ridge regression, one bandwidth for all columns"
	learned := model.Learned()
	r.remark = fmt.Sprintf("alignment %.3f by a sum of %d kernels", learned.Alignment, len(learned.Kernel))
	return r, pictureColumns(picture, fineness(learned.Kernel))
}

// fineness returns 1/bandwidth of each column, as the weighted mean over the kernels of the
// sum.
func fineness(sum kernel.Sum) plotter.Values {
	values, weights := make(plotter.Values, inputs), 0.0
	for _, k := range sum {
		k := k.(kernel.Scale)
		weights += k.By
		for j, bandwidth := range k.Of.(kernel.ARD).Scales {
			values[j] += k.By / bandwidth
		}
	}
	for j := range values {
		values[j] /= weights
	}
	return values
}

func pictureColumns(path string, values plotter.Values) error {
	bars, err := plotter.NewBarChart(values, vg.Centimeter)
	if err != nil {
		return err
	}
	bars.Color, bars.LineStyle.Width = blue, 0
	p := newPlot("alignment: how finely the learned kernel sees each column", "column (the values depend on 1 to 3)", "mean of 1/bandwidth")
	names := make([]string, inputs)
	for j := range names {
		names[j] = strconv.Itoa(j + 1)
	}
	p.NominalX(names...)
	p.Y.Min = 0
	p.Add(bars)
	return writePicture(path, high, panel{Plot: p, width: wide})
}
