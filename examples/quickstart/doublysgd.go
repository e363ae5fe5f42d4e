package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
)

// drawSpirals draws rows near two interleaved spirals, with the labels 1 and 2.
func drawSpirals(rows int, r *rand.Rand) (x, labels *mat.Dense) {
	x, labels = mat.NewDense(rows, 2, nil), mat.NewDense(rows, 1, nil)
	for i := range rows {
		turn, label := math.Sqrt(r.Float64()), r.IntN(2)
		sin, cos := math.Sincos(3*2*math.Pi*turn + math.Pi*float64(label))
		x.SetRow(i, []float64{turn*cos + 0.05*r.NormFloat64(), turn*sin + 0.05*r.NormFloat64()})
		labels.Set(i, 0, float64(label+1))
	}
	return x, labels
}

// spirals learns labels with random features, and compares them with nearest neighbours.
func spirals(ctx context.Context, picture string, part float64) (r result, err error) {
	source := rand.New(rand.NewPCG(2, 0))
	x, labels := drawSpirals(int(2500*part), source)
	testX, testLabels := drawSpirals(2000, source)

	model, err := doublysgd.FitClassifier(ctx, x, labels, &doublysgd.Options{Features: 1024}) // the other options are selected
	if err != nil {
		return r, err
	}
	predicted, err := model.Predict(testX)
	if err != nil {
		return r, err
	}
	right, err := dataset.Accuracy(predicted, testLabels)
	if err != nil {
		return r, err
	}
	nearest, err := dataset.Accuracy(mostOfNearest(15, x, labels, testX), testLabels)
	if err != nil {
		return r, err
	}
	r.error, r.baseline, r.usual = 1-right, 1-nearest, "most of the 15 nearest rows"
	r.remark = fmt.Sprintf("%d random features of %v", model.Report().Features, model.Model().Kernel())
	return r, pictureSpirals(picture, model, x, labels)
}

// mostOfNearest returns the most frequent label of the k nearest rows of x, for each row of
// at.
func mostOfNearest(k int, x, labels, at *mat.Dense) *mat.Dense {
	rows, _ := at.Dims()
	out := mat.NewDense(rows, 1, nil)
	for i := range rows {
		nearest := make([]float64, 0, k+1) // squared distances, ascending
		votes := make([]float64, 0, k+1)
		for j := range labels.RawMatrix().Rows {
			a, b := at.At(i, 0)-x.At(j, 0), at.At(i, 1)-x.At(j, 1)
			insert(&nearest, &votes, k, a*a+b*b, labels.At(j, 0))
		}
		sum := 0.0
		for _, v := range votes {
			sum += v
		}
		out.Set(i, 0, math.Round(sum/float64(k)))
	}
	return out
}

// insert keeps the k smallest distances in ascending order, with their labels.
func insert(distances, labels *[]float64, k int, distance, label float64) {
	d, l := *distances, *labels
	if len(d) == k && distance >= d[k-1] {
		return
	}
	d, l = append(d, distance), append(l, label)
	for i := len(d) - 1; i > 0 && d[i] < d[i-1]; i-- {
		d[i], d[i-1], l[i], l[i-1] = d[i-1], d[i], l[i-1], l[i]
	}
	*distances, *labels = d[:min(k, len(d))], l[:min(k, len(l))]
}

// pictureSpirals draws the regions of the labels and a part of the rows.
func pictureSpirals(path string, c *doublysgd.Classifier, x, labels *mat.Dense) error {
	regions, err := newGrid(-1.15, 1.15, c.Predict)
	if err != nil {
		return err
	}
	heat := plotter.NewHeatMap(regions, colours{paleBlue, paleVermillion})
	heat.Rasterized = true
	p := newPlot("doublysgd: two labels, and some of the rows", "first input", "second input")
	p.Add(heat)
	var points [2]plotter.XYs
	for i := range min(1500, x.RawMatrix().Rows) {
		k := int(labels.At(i, 0)) - 1
		points[k] = append(points[k], plotter.XY{X: x.At(i, 0), Y: x.At(i, 1)})
	}
	for k, colour := range (colours{blue, vermillion}) {
		name := fmt.Sprintf("rows of label %d, and its region", k+1)
		if err := addPoints(p, name, points[k], colour, 1.5, patch{heat.Palette.Colors()[k]}); err != nil {
			return err
		}
	}
	return writePicture(path, square+vg.Centimeter, panel{Plot: p, width: square})
}
