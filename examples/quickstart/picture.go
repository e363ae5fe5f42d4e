package main

import (
	"image/color"
	"os"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

var (
	black    = color.Gray{}
	blue     = color.RGBA{R: 31, G: 90, B: 180, A: 255}
	red      = color.RGBA{R: 200, G: 40, B: 30, A: 255}
	paleBlue = color.RGBA{R: 205, G: 220, B: 242, A: 255}
	paleRed  = color.RGBA{R: 246, G: 212, B: 208, A: 255}
)

// The sizes of pictures.
const (
	square = 17 * vg.Centimeter
	wide   = 22 * vg.Centimeter
	high   = 12 * vg.Centimeter
)

func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.Padding = vg.Points(8)
	p.Legend.Padding = vg.Points(3)
	p.Legend.Top, p.Legend.Left, p.Legend.XOffs = true, true, vg.Points(8)
	return p
}

// save writes p with a margin, as a PNG file.
func save(p *plot.Plot, width, height vg.Length, path string) error {
	const margin = 4 * vg.Millimeter
	canvas := vgimg.PngCanvas{Canvas: vgimg.New(width, height)}
	p.Draw(draw.Crop(draw.New(canvas), margin, -margin, margin, -margin))
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

// colours is a palette.
type colours []color.Color

func (c colours) Colors() []color.Color { return c }

// addPoints adds discs, and names them in the legend unless the name is empty.
func addPoints(p *plot.Plot, name string, points plotter.XYs, c color.Color, radius float64) error {
	s, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	s.GlyphStyle = draw.GlyphStyle{Color: c, Radius: vg.Points(radius), Shape: draw.CircleGlyph{}}
	p.Add(s)
	if name != "" {
		p.Legend.Add(name, s)
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

// pairs returns the rows of x, of two columns.
func pairs(x *mat.Dense) plotter.XYs {
	points := make(plotter.XYs, x.RawMatrix().Rows)
	for i := range points {
		points[i] = plotter.XY{X: x.At(i, 0), Y: x.At(i, 1)}
	}
	return points
}

// grid holds values at the crossings of equally spaced lines over a square.
type grid struct {
	low, high float64
	values    *mat.Dense
}

const lines = 201

// newGrid predicts at all crossings over [low, high]².
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
