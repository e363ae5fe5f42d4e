package main

import (
	"image/color"
	"os"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/rkhs-go/rkhs/metric"
)

var blue = color.RGBA{R: 31, G: 90, B: 180, A: 255}

// picture draws the shares of the directions, and the targets along the first of them
// and along the column of most importance, as a PNG file.
func picture(path string, found *metric.Result, units []float64, x, y *mat.Dense) error {
	shares, err := bars(found.Shares)
	if err != nil {
		return err
	}
	along := mat.NewVecDense(inputs, nil)
	along.DivElemVec(found.Directions.RowView(0), mat.NewVecDense(inputs, units))
	var first mat.VecDense
	first.MulVec(x, along)
	direction, err := scatter("the first direction", &first, y)
	if err != nil {
		return err
	}
	j := floats.MaxIdx(found.Importance)
	column, err := scatter("column "+strconv.Itoa(j+1)+", the most important", x.ColView(j), y)
	if err != nil {
		return err
	}
	return save([]*plot.Plot{shares, direction, column}, path)
}

// bars draws shares in their order.
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
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = "direction found", "share of the metric"
	p.NominalX(names...)
	p.Y.Min = 0
	p.Add(b)
	return p, nil
}

// scatter draws the targets of rows against one coordinate of them.
func scatter(name string, at mat.Vector, y *mat.Dense) (*plot.Plot, error) {
	points := make(plotter.XYs, at.Len())
	for i := range points {
		points[i] = plotter.XY{X: at.AtVec(i), Y: y.At(i, 0)}
	}
	s, err := plotter.NewScatter(points)
	if err != nil {
		return nil, err
	}
	s.GlyphStyle = vgdraw.GlyphStyle{Color: blue, Radius: vg.Points(1.5), Shape: vgdraw.CircleGlyph{}}
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = name, "target"
	p.Add(s)
	return p, nil
}

// save writes plots side by side.
func save(plots []*plot.Plot, path string) error {
	const margin = 4 * vg.Millimeter
	canvas := vgimg.PngCanvas{Canvas: vgimg.New(36*vg.Centimeter, 12*vg.Centimeter)}
	tiles := vgdraw.Tiles{Rows: 1, Cols: len(plots), PadX: vg.Centimeter, PadTop: margin, PadBottom: margin, PadLeft: margin, PadRight: margin}
	for i, part := range plot.Align([][]*plot.Plot{plots}, tiles, vgdraw.New(canvas))[0] {
		plots[i].Draw(part)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := canvas.WriteTo(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
