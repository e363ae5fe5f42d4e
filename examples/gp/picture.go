package main

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// width is the number of standard deviations on each side of a 95 % band.
const width = 1.96

var (
	grey  = color.Gray{Y: 150}
	pale  = color.RGBA{R: 217, G: 234, B: 244, A: 255}
	light = color.RGBA{R: 128, G: 185, B: 217, A: 255}
	blue  = color.RGBA{R: 0, G: 114, B: 178, A: 255}
)

// drawn bounds the number of rows in the picture.
const drawn = 500

// picture writes a picture of the posterior to a PNG file.
func picture(path string, p posterior) error {
	c := newPlot("a Gaussian process, and what it does not know", "x", "y")
	for _, add := range []func(*plot.Plot) error{p.bands, p.rows, p.lines} {
		if err := add(c); err != nil {
			return err
		}
	}
	c.X.Min, c.X.Max = from-1, to+1
	return writePicture(path, 12*vg.Centimeter, panel{Plot: c, width: 20 * vg.Centimeter})
}

// bands adds the bands of noisy values and of the function.
func (p posterior) bands(c *plot.Plot) error {
	for _, b := range []struct {
		label string
		noise float64
		fill  color.Color
	}{{"95 % of noisy values", p.noise, pale}, {"95 % of the function", 0, light}} {
		n := p.at.Len()
		edge := make(plotter.XYs, 2*n)
		for i := range n {
			x, mean := p.at.AtVec(i), p.mean.At(i, 0)
			half := width * math.Hypot(p.deviation[i], b.noise)
			edge[i] = plotter.XY{X: x, Y: mean - half}
			edge[2*n-1-i] = plotter.XY{X: x, Y: mean + half}
		}
		band, err := plotter.NewPolygon(edge)
		if err != nil {
			return err
		}
		band.Color, band.LineStyle.Width = b.fill, 0
		c.Add(band)
		c.Legend.Add(b.label, band)
	}
	return nil
}

// rows adds the first training rows.
func (p posterior) rows(c *plot.Plot) error {
	points := make(plotter.XYs, min(drawn, p.x.Len()))
	for i := range points {
		points[i] = plotter.XY{X: p.x.AtVec(i), Y: p.y.AtVec(i)}
	}
	s, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	s.GlyphStyle = vgdraw.GlyphStyle{Color: grey, Radius: vg.Points(1.2), Shape: vgdraw.CircleGlyph{}}
	c.Add(s)
	c.Legend.Add(fmt.Sprintf("noisy rows, %d of %d", len(points), p.x.Len()), s)
	return nil
}

// lines adds the mean and the true function.
func (p posterior) lines(c *plot.Plot) error {
	points := make(plotter.XYs, p.at.Len())
	for i := range points {
		points[i] = plotter.XY{X: p.at.AtVec(i), Y: p.mean.At(i, 0)}
	}
	mean, err := plotter.NewLine(points)
	if err != nil {
		return err
	}
	mean.Color, mean.Width = blue, vg.Points(2)
	exact := plotter.NewFunction(truth)
	exact.Samples, exact.Width, exact.Dashes = 400, vg.Points(1), []vg.Length{vg.Points(4), vg.Points(3)}
	c.Add(mean, exact)
	c.Legend.Add("posterior mean", mean)
	c.Legend.Add("true function", exact)
	return nil
}
