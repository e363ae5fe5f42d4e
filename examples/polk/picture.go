package main

import (
	"image/color"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"

	"github.com/rkhs-go/rkhs/polk"
)

// strong are the colours of the rows of each class, pale those of its region.
var (
	strong = palette{
		color.RGBA{R: 200, G: 60, B: 40, A: 255},
		color.RGBA{R: 40, G: 100, B: 190, A: 255},
		color.RGBA{R: 40, G: 140, B: 70, A: 255},
		color.RGBA{R: 150, G: 80, B: 170, A: 255},
		color.RGBA{R: 200, G: 140, B: 20, A: 255},
	}
	pale = palette{
		color.RGBA{R: 242, G: 206, B: 201, A: 255},
		color.RGBA{R: 201, G: 216, B: 239, A: 255},
		color.RGBA{R: 201, G: 226, B: 209, A: 255},
		color.RGBA{R: 229, G: 211, B: 234, A: 255},
		color.RGBA{R: 241, G: 226, B: 196, A: 255},
	}
)

type palette []color.Color

func (p palette) Colors() []color.Color { return p }

// picture draws the regions of the classes, some rows, and the points of the model.
func picture(path string, c *polk.Classifier, x, labels *mat.Dense) error {
	g, err := newRegions(x, c)
	if err != nil {
		return err
	}
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = "first input", "second input"
	heat := plotter.NewHeatMap(g, pale)
	heat.Min, heat.Max, heat.Rasterized = 0, classes-1, true
	p.Add(heat)
	rows := make([]plotter.XYs, classes)
	for i := range min(1500, x.RawMatrix().Rows) {
		k := int(labels.At(i, 0))
		rows[k] = append(rows[k], plotter.XY{X: x.At(i, 0), Y: x.At(i, 1)})
	}
	for k, points := range rows {
		if err := addPoints(p, points, strong[k], 1); err != nil {
			return err
		}
	}
	var points plotter.XYs
	dictionary := c.Model().Expansion().Points
	for i := range c.Model().ModelOrder() {
		points = append(points, plotter.XY{X: dictionary.At(i, 0), Y: dictionary.At(i, 1)})
	}
	if err := addPoints(p, points, color.Black, 3.5); err != nil {
		return err
	}
	return p.Save(18*vg.Centimeter, 18*vg.Centimeter, path)
}

func addPoints(p *plot.Plot, points plotter.XYs, c color.Color, radius float64) error {
	s, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	s.GlyphStyle = vgdraw.GlyphStyle{Color: c, Radius: vg.Points(radius), Shape: vgdraw.CircleGlyph{}}
	p.Add(s)
	return nil
}

// regions is the predicted class at the crossings of equally spaced lines.
type regions struct {
	low, high [2]float64
	labels    *mat.Dense
}

const lines = 250

// newRegions covers the rows of x.
func newRegions(x *mat.Dense, c *polk.Classifier) (*regions, error) {
	g := new(regions)
	for j := range 2 {
		g.low[j], g.high[j] = mat.Min(x.ColView(j))-0.2, mat.Max(x.ColView(j))+0.2
	}
	at := mat.NewDense(lines*lines, 2, nil)
	for i := range lines * lines {
		at.SetRow(i, []float64{g.X(i % lines), g.Y(i / lines)})
	}
	labels, err := c.Predict(at)
	if err != nil {
		return nil, err
	}
	g.labels = mat.NewDense(lines, lines, labels.RawMatrix().Data)
	return g, nil
}

func (g *regions) coordinate(j, i int) float64 {
	return g.low[j] + (g.high[j]-g.low[j])*float64(i)/(lines-1)
}

func (*regions) Dims() (columns, rows int)   { return lines, lines }
func (g *regions) Z(column, row int) float64 { return g.labels.At(row, column) }
func (g *regions) X(column int) float64      { return g.coordinate(0, column) }
func (g *regions) Y(row int) float64         { return g.coordinate(1, row) }
