package main

import (
	"image/color"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

var (
	black          = color.Gray{}
	blue           = color.RGBA{R: 0, G: 114, B: 178, A: 255}
	vermillion     = color.RGBA{R: 213, G: 94, B: 0, A: 255}
	paleBlue       = color.RGBA{R: 196, G: 222, B: 238, A: 255}
	paleVermillion = color.RGBA{R: 247, G: 217, B: 196, A: 255}
)

// The sizes of plots.
const (
	square = 13 * vg.Centimeter
	wide   = 17 * vg.Centimeter
	high   = 11 * vg.Centimeter
)

// colours is a palette.
type colours []color.Color

func (c colours) Colors() []color.Color { return c }

// patch is a legend entry with a colour.
type patch struct{ color.Color }

// Thumbnail implements plot.Thumbnailer.
func (a patch) Thumbnail(c *vgdraw.Canvas) {
	c.FillPolygon(a.Color, []vg.Point{c.Min, {X: c.Min.X, Y: c.Max.Y}, c.Max, {X: c.Max.X, Y: c.Min.Y}})
}

// addPoints adds discs, and a legend entry on the given background unless the name is
// empty.
func addPoints(p *plot.Plot, name string, points plotter.XYs, c color.Color, radius float64, behind ...plot.Thumbnailer) error {
	s, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	s.GlyphStyle = vgdraw.GlyphStyle{Color: c, Radius: vg.Points(radius), Shape: vgdraw.CircleGlyph{}}
	p.Add(s)
	if name != "" {
		p.Legend.Add(name, append(behind, s)...)
	}
	return nil
}

func addLine(p *plot.Plot, name string, points plotter.XYs, c color.Color) error {
	l, err := plotter.NewLine(points)
	if err != nil {
		return err
	}
	l.Color, l.Width = c, vg.Points(1.5)
	p.Add(l)
	p.Legend.Add(name, l)
	return nil
}

// pairs returns the rows of x, which has two columns.
func pairs(x *mat.Dense) plotter.XYs {
	points := make(plotter.XYs, x.RawMatrix().Rows)
	for i := range points {
		points[i] = plotter.XY{X: x.At(i, 0), Y: x.At(i, 1)}
	}
	return points
}

// grid has values on a grid over a square.
type grid struct {
	low, high float64
	values    *mat.Dense
}

const lines = 201

// newGrid predicts on a grid over [low, high]².
func newGrid(low, high float64, predict func(x mat.Matrix) (*mat.Dense, error)) (grid, error) {
	g := grid{low: low, high: high}
	x := mat.NewDense(lines*lines, 2, nil)
	for i := range lines * lines {
		x.SetRow(i, []float64{g.X(i % lines), g.Y(i / lines)})
	}
	f, err := predict(x)
	if err != nil {
		return g, err
	}
	g.values = mat.NewDense(lines, lines, f.RawMatrix().Data)
	return g, nil
}

func (g grid) Dims() (columns, rows int) { return lines, lines }
func (g grid) X(column int) float64      { return g.low + (g.high-g.low)*float64(column)/(lines-1) }
func (g grid) Y(row int) float64         { return g.X(row) }
func (g grid) Z(column, row int) float64 { return g.values.At(row, column) }
