package main

import (
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"

	"github.com/rkhs-go/rkhs/doublysgd/ratio"
)

var (
	grey = color.Gray{Y: 150}
	blue = color.RGBA{R: 31, G: 90, B: 180, A: 255}
	red  = color.RGBA{R: 200, G: 40, B: 30, A: 255}
)

// picture draws the rows trained on as discs, whose areas are their weights, and the
// lines fitted without and with these, beside the curve.
func picture(path string, m *ratio.Model, x, y *mat.VecDense, plain, weighted line) error {
	weights, err := m.Predict(x)
	if err != nil {
		return err
	}
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = "x", "y"
	p.Legend.Top, p.Legend.Padding = true, vg.Points(3)
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
	s.GlyphStyle = disc(1) // in the legend
	p.Add(s)
	p.Legend.Add("rows trained on, by their weights", s)
	for _, f := range []struct {
		name   string
		value  func(x float64) float64
		colour color.Color
		dashes []vg.Length
	}{
		{"the curve", truth, color.Black, []vg.Length{vg.Points(4), vg.Points(3)}},
		{"least squares", func(x float64) float64 { return plain.a + plain.b*x }, red, nil},
		{"weighted least squares, for rows about 2", func(x float64) float64 { return weighted.a + weighted.b*x }, blue, nil},
	} {
		c := plotter.NewFunction(f.value)
		c.Samples, c.Color, c.Dashes, c.Width = 300, f.colour, f.dashes, vg.Points(1.5)
		p.Add(c)
		p.Legend.Add(f.name, c)
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.5, 3, -0.8, 1.6
	return p.Save(24*vg.Centimeter, 14*vg.Centimeter, path)
}
