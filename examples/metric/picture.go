package main

import (
	"image/color"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"

	"github.com/rkhs-go/rkhs/metric"
)

var blue = color.RGBA{R: 0, G: 114, B: 178, A: 255}

// picture draws the shares of the directions, and the targets along the first direction
// and along the most important column, to a PNG file.
func picture(path string, found *metric.Result, units []float64, x, y *mat.Dense) error {
	shares, err := bars(found.Shares)
	if err != nil {
		return err
	}
	along := mat.NewVecDense(inputs, nil)
	along.DivElemVec(found.Directions.RowView(0), mat.NewVecDense(inputs, units))
	var first mat.VecDense
	first.MulVec(x, along)
	direction, err := scatter("along what was found", "first direction", &first, y)
	if err != nil {
		return err
	}
	j := floats.MaxIdx(found.Importance)
	column, err := scatter("along the most important column", "column "+strconv.Itoa(j+1), x.ColView(j), y)
	if err != nil {
		return err
	}
	return writePicture(path, 11*vg.Centimeter, panel{Plot: shares, width: 11 * vg.Centimeter},
		panel{Plot: direction, width: 11 * vg.Centimeter}, panel{Plot: column, width: 11 * vg.Centimeter})
}

// bars draws the shares in order.
func bars(shares []float64) (*plot.Plot, error) {
	b, err := plotter.NewBarChart(plotter.Values(shares), vg.Points(16))
	if err != nil {
		return nil, err
	}
	b.Color, b.LineStyle.Width = blue, 0
	names := make([]string, len(shares))
	for i := range names {
		names[i] = strconv.Itoa(i + 1)
	}
	p := newPlot("three directions matter", "direction found", "share of the metric")
	p.NominalX(names...)
	p.Y.Min = 0
	p.Add(b)
	return p, nil
}

// scatter draws the targets against one coordinate of the rows.
func scatter(title, name string, at mat.Vector, y *mat.Dense) (*plot.Plot, error) {
	points := make(plotter.XYs, at.Len())
	for i := range points {
		points[i] = plotter.XY{X: at.AtVec(i), Y: y.At(i, 0)}
	}
	s, err := plotter.NewScatter(points)
	if err != nil {
		return nil, err
	}
	s.GlyphStyle = vgdraw.GlyphStyle{Color: blue, Radius: vg.Points(1.5), Shape: vgdraw.CircleGlyph{}}
	p := newPlot(title, name, "target")
	p.Add(s)
	return p, nil
}
