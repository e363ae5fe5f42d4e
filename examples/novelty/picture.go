package main

import (
	"image/color"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/rkhs-go/rkhs/doublysgd/novelty"
)

// The part of the plane that the picture shows.
const (
	left, right, bottom, top = -1.8, 2.8, -1.3, 1.8
	columns, lines           = 185, 125
)

// picture writes a map of f(x) − r with its border and the points to a PNG file.
func picture(path string, m *novelty.Model, points *mat.Dense) error {
	s, err := scores(m)
	if err != nil {
		return err
	}
	p := newPlot("the points and the novel region", "first input", "second input")
	bar := addMap(p, s, max(mat.Max(s.values), -mat.Min(s.values)), "f(x) − r, negative where x is novel")
	border := plotter.NewContour(s, []float64{0}, ink{})
	border.LineStyles[0].Width = vg.Points(1.5)
	p.Add(border)
	p.Legend.Add("the border, f(x) = r", edge{border.LineStyles[0]})
	for _, outside := range []bool{false, true} {
		if err := add(p, m, points, outside); err != nil {
			return err
		}
	}
	bar.Legend, p.Legend = p.Legend, plot.NewLegend() // next to the bar
	return writePicture(path, 13.5*vg.Centimeter, panel{Plot: p, width: 17 * vg.Centimeter}, bar)
}

// edge is the legend entry of the border.
type edge struct{ draw.LineStyle }

// Thumbnail implements plot.Thumbnailer.
func (e edge) Thumbnail(c *draw.Canvas) {
	y := c.Center().Y
	c.StrokeLine2(e.LineStyle, c.Min.X, y, c.Max.X, y)
}

// ink is a palette with only black.
type ink struct{}

func (ink) Colors() []color.Color { return []color.Color{color.Black} }

var _ palette.Palette = ink{}

// add draws the points inside or outside the border.
func add(p *plot.Plot, m *novelty.Model, points *mat.Dense, outside bool) error {
	labels, err := m.Predict(points)
	if err != nil {
		return err
	}
	var selected plotter.XYs
	n, _ := points.Dims()
	for i := range n {
		if (labels.At(i, 0) < 0) == outside {
			selected = append(selected, plotter.XY{X: points.At(i, 0), Y: points.At(i, 1)})
		}
	}
	s, err := plotter.NewScatter(selected)
	if err != nil {
		return err
	}
	s.GlyphStyle = draw.GlyphStyle{Color: color.Black, Radius: vg.Points(1.2), Shape: draw.CircleGlyph{}}
	name := "points within"
	if outside {
		name = "points outside"
		s.GlyphStyle.Radius, s.GlyphStyle.Shape = vg.Points(3), draw.CrossGlyph{}
	}
	p.Add(s)
	p.Legend.Add(name, s)
	return nil
}

// surface has values on a grid over the picture.
type surface struct{ values *mat.Dense }

func scores(m *novelty.Model) (s surface, err error) {
	x := mat.NewDense(columns*lines, 2, nil)
	for i := range columns * lines {
		x.SetRow(i, []float64{s.X(i % columns), s.Y(i / columns)})
	}
	f, err := m.Scores(x)
	if err != nil {
		return s, err
	}
	return surface{mat.NewDense(lines, columns, f.RawMatrix().Data)}, nil
}

func (surface) Dims() (c, r int)            { return columns, lines }
func (s surface) Z(column, row int) float64 { return s.values.At(row, column) }
func (surface) X(column int) float64        { return left + (right-left)*float64(column)/(columns-1) }
func (surface) Y(row int) float64           { return bottom + (top-bottom)*float64(row)/(lines-1) }
