package main

import (
	"fmt"
	"image/color"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"

	"github.com/rkhs-go/rkhs/polk"
)

// strong has the colours of the rows of each class (Okabe and Ito), and pale the colours of
// its region. The rows of each class also have their own shape.
var (
	strong = palette{
		color.RGBA{R: 213, G: 94, B: 0, A: 255},
		color.RGBA{R: 0, G: 114, B: 178, A: 255},
		color.RGBA{R: 0, G: 158, B: 115, A: 255},
		color.RGBA{R: 204, G: 121, B: 167, A: 255},
		color.RGBA{R: 230, G: 159, B: 0, A: 255},
	}
	pale = palette{
		color.RGBA{R: 247, G: 217, B: 196, A: 255},
		color.RGBA{R: 196, G: 222, B: 238, A: 255},
		color.RGBA{R: 199, G: 234, B: 224, A: 255},
		color.RGBA{R: 244, G: 226, B: 236, A: 255},
		color.RGBA{R: 250, G: 236, B: 203, A: 255},
	}
	shapes = []vgdraw.GlyphDrawer{vgdraw.CircleGlyph{}, vgdraw.SquareGlyph{}, vgdraw.TriangleGlyph{}, vgdraw.PlusGlyph{}, vgdraw.CrossGlyph{}}
)

type palette []color.Color

func (p palette) Colors() []color.Color { return p }

// picture draws the regions of the classes, some rows, and the points of the model.
func picture(path string, c *polk.Classifier, x, labels *mat.Dense) error {
	g, err := newRegions(x, c)
	if err != nil {
		return err
	}
	p := newPlot("five classes and the points that tell them apart", "first input", "second input")
	heat := plotter.NewHeatMap(g, pale)
	heat.Min, heat.Max, heat.Rasterized = 0, classes-1, true
	p.Add(heat)
	rows := make([]plotter.XYs, classes)
	for i := range min(1500, x.RawMatrix().Rows) {
		k := int(labels.At(i, 0))
		rows[k] = append(rows[k], plotter.XY{X: x.At(i, 0), Y: x.At(i, 1)})
	}
	for k, points := range rows {
		if err := addPoints(p, fmt.Sprintf("rows of class %d, and its region", k), points, vgdraw.GlyphStyle{Color: strong[k], Radius: vg.Points(1.6), Shape: shapes[k]}, patch{pale[k]}); err != nil {
			return err
		}
	}
	var points plotter.XYs
	dictionary := c.Model().Expansion().Points
	for i := range c.Model().ModelOrder() {
		points = append(points, plotter.XY{X: dictionary.At(i, 0), Y: dictionary.At(i, 1)})
	}
	if err := addPoints(p, "points of the model", points, vgdraw.GlyphStyle{Color: color.Black, Radius: vg.Points(3.5), Shape: vgdraw.CircleGlyph{}}); err != nil {
		return err
	}
	return writePicture(path, 17*vg.Centimeter, panel{Plot: p, width: 16 * vg.Centimeter})
}

// patch is a legend entry with a colour.
type patch struct{ color.Color }

// Thumbnail implements plot.Thumbnailer.
func (a patch) Thumbnail(c *vgdraw.Canvas) {
	c.FillPolygon(a.Color, []vg.Point{c.Min, {X: c.Min.X, Y: c.Max.Y}, c.Max, {X: c.Max.X, Y: c.Min.Y}})
}

// addPoints adds points, and a legend entry on the given background.
func addPoints(p *plot.Plot, name string, points plotter.XYs, style vgdraw.GlyphStyle, behind ...plot.Thumbnailer) error {
	s, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	s.GlyphStyle = style
	p.Add(s)
	p.Legend.Add(name, append(behind, s)...)
	return nil
}

// regions has the predicted classes on a grid.
type regions struct {
	low, high [2]float64
	labels    *mat.Dense
}

const lines = 250

// newRegions predicts on a grid over the rows of x.
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
