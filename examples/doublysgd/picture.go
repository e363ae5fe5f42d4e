package main

import (
	"fmt"
	"image/color"
	"strconv"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"

	"github.com/rkhs-go/rkhs/doublysgd"
)

var (
	blue  = color.RGBA{R: 0, G: 114, B: 178, A: 255}
	light = color.NRGBA{R: 0, G: 114, B: 178, A: 60}
)

// picture draws the error against the number of features, and the scores of the last model.
func picture(path string, points []point, c *doublysgd.Classifier) error {
	curve, err := curvePlot(points)
	if err != nil {
		return err
	}
	board, bar, err := boardPlot(c)
	if err != nil {
		return err
	}
	return writePicture(path, 14*vg.Centimeter, panel{Plot: curve, width: 13 * vg.Centimeter}, panel{Plot: board, width: 13 * vg.Centimeter}, bar)
}

// curvePlot draws the mean error over the draws of the features, and a band from the least
// to the largest error.
func curvePlot(points []point) (*plot.Plot, error) {
	p := newPlot("more features, fewer errors", "features", "error on the test rows, %")
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, ticks(points)
	n := len(points)
	mean, edge := make(plotter.XYs, n), make(plotter.XYs, 2*n)
	for i, q := range points {
		x := float64(q.features)
		mean[i] = plotter.XY{X: x, Y: 100 * q.error}
		edge[i], edge[2*n-1-i] = plotter.XY{X: x, Y: 100 * q.least}, plotter.XY{X: x, Y: 100 * q.most}
	}
	band, err := plotter.NewPolygon(edge)
	if err != nil {
		return nil, err
	}
	band.Color, band.LineStyle.Width = light, 0
	line, dots, err := plotter.NewLinePoints(mean)
	if err != nil {
		return nil, err
	}
	line.Color, line.Width = blue, vg.Points(1.5)
	dots.GlyphStyle = vgdraw.GlyphStyle{Color: blue, Radius: vg.Points(3), Shape: vgdraw.CircleGlyph{}}
	p.Add(plotter.NewGrid(), band, line, dots)
	p.Legend.Add(fmt.Sprintf("mean of %d draws of features", draws), line, dots)
	p.Legend.Add("least to largest", band)
	p.Y.Min = 0
	return p, nil
}

// ticks are the numbers of features.
func ticks(points []point) (list plot.ConstantTicks) {
	for _, q := range points {
		list = append(list, plot.Tick{Value: float64(q.features), Label: strconv.Itoa(q.features)})
	}
	return list
}

// boardPlot draws a map of the score, and the border between the labels.
func boardPlot(c *doublysgd.Classifier) (*plot.Plot, panel, error) {
	x := mat.NewDense(lines*lines, 2, nil)
	for i := range lines * lines {
		x.SetRow(i, []float64{scores{}.X(i % lines), scores{}.Y(i / lines)})
	}
	f, err := c.Scores(x)
	if err != nil {
		return nil, panel{}, err
	}
	g := scores{mat.NewDense(lines, lines, f.RawMatrix().Data)}
	p := newPlot("the learned score, and where it is zero", "first input", "second input")
	bar := addMap(p, g, 1.5, "score: label 0 below zero, 1 above")
	border := plotter.NewContour(g, []float64{0}, black{})
	border.LineStyles[0].Width = vg.Points(1)
	p.Add(border)
	return p, bar, nil
}

// black is a palette with only black.
type black struct{}

func (black) Colors() []color.Color { return []color.Color{color.Black} }

// scores has values on a grid over the board.
type scores struct{ values *mat.Dense }

const lines = 161

func (scores) Dims() (columns, rows int)   { return lines, lines }
func (s scores) Z(column, row int) float64 { return s.values.At(row, column) }
func (scores) X(column int) float64        { return float64(column) / (lines - 1) }
func (scores) Y(row int) float64           { return float64(row) / (lines - 1) }
