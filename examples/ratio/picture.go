package main

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"

	"github.com/rkhs-go/rkhs/doublysgd/ratio"
)

var (
	grey       = color.Gray{Y: 150}
	blue       = color.RGBA{R: 0, G: 114, B: 178, A: 255}
	vermillion = color.RGBA{R: 213, G: 94, B: 0, A: 255}
)

// picture draws the training rows as discs with their weights as areas, the lines fitted
// with and without weights, and the curve.
func picture(path string, m *ratio.Model, x, y *mat.VecDense, plain, weighted line) error {
	weights, err := m.Predict(x)
	if err != nil {
		return err
	}
	p := newPlot("a line for rows that differ from those at hand", "x", "y")
	points := make(plotter.XYs, x.Len())
	for i := range points {
		points[i] = plotter.XY{X: x.AtVec(i), Y: y.AtVec(i)}
	}
	s, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	disc := func(weight float64) vgdraw.GlyphStyle {
		radius := vg.Points(0.8 + 1.6*math.Sqrt(weight))
		return vgdraw.GlyphStyle{Color: grey, Radius: radius, Shape: vgdraw.CircleGlyph{}}
	}
	s.GlyphStyleFunc = func(i int) vgdraw.GlyphStyle { return disc(weights.At(i, 0)) }
	p.Add(s)
	for _, weight := range []float64{0.1, 1, 10} {
		p.Legend.Add(fmt.Sprintf("row trained on of weight %g", weight), thumbnail{disc(weight)})
	}
	for _, f := range []struct {
		name   string
		value  func(x float64) float64
		colour color.Color
		dashes []vg.Length
	}{
		{"the curve", truth, color.Black, []vg.Length{vg.Points(4), vg.Points(3)}},
		{"least squares", func(x float64) float64 { return plain.a + plain.b*x }, vermillion, nil},
		{"weighted, for rows about 2", func(x float64) float64 { return weighted.a + weighted.b*x }, blue, nil},
	} {
		c := plotter.NewFunction(f.value)
		c.Samples, c.Color, c.Dashes, c.Width = 300, f.colour, f.dashes, vg.Points(1.5)
		p.Add(c)
		p.Legend.Add(f.name, c)
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.5, 3, -0.8, 1.6
	return writePicture(path, 12*vg.Centimeter, panel{Plot: p, width: 17 * vg.Centimeter})
}

// thumbnail is the legend entry of a disc.
type thumbnail struct{ vgdraw.GlyphStyle }

// Thumbnail implements plot.Thumbnailer.
func (t thumbnail) Thumbnail(c *vgdraw.Canvas) { c.DrawGlyph(t.GlyphStyle, c.Center()) }
