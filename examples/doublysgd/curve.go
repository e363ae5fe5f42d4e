package main

import (
	"context"
	"io"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
)

// point is what a fit reaches on the test rows.
type point struct {
	features         int
	percent, seconds float64
}

// fewest is the number of features at which the curve begins.
const fewest = 32

// curve fits with half the features of best, a quarter and so on, with its kernel
// and ridge, and returns the points from the fewest features on; the last is end.
func curve(ctx context.Context, train, test *dataset.Set, o doublysgd.Options, best *doublysgd.Classifier, end point, stderr io.Writer) ([]point, error) {
	o.Kernel, o.Ridge, o.Loss = best.Model().Kernel(), best.Report().Ridge, best.Loss()
	points := []point{end}
	for n := end.features / 2; n >= fewest; n /= 2 {
		o.Features = n
		_, p, err := fit(ctx, train, test, o, stderr)
		if err != nil {
			return nil, err
		}
		points = append(points, p)
	}
	slices.Reverse(points)
	return points, nil
}

func draw(path string, points []point) error {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = "Learning curve", "features", "error on the test rows, %"
	p.Title.Padding = vg.Points(6)
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	xy := make(plotter.XYs, len(points))
	for i, q := range points {
		xy[i] = plotter.XY{X: float64(q.features), Y: q.percent}
	}
	line, dots, err := plotter.NewLinePoints(xy)
	if err != nil {
		return err
	}
	p.Add(plotter.NewGrid(), line, dots)
	p.Y.Min = 0
	return p.Save(16*vg.Centimeter, 11*vg.Centimeter, path)
}
