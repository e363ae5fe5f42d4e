package main

import (
	"image/color"
	"os"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/rkhs-go/rkhs/doublysgd"
)

// picture draws the error over the number of features, and beside it the score of the
// last model.
func picture(path string, points []point, c *doublysgd.Classifier) error {
	curve, err := curvePlot(points)
	if err != nil {
		return err
	}
	board, err := boardPlot(c)
	if err != nil {
		return err
	}
	const margin = 5 * vg.Millimeter
	canvas := vgimg.PngCanvas{Canvas: vgimg.New(30*vg.Centimeter, 14*vg.Centimeter)}
	tiles := vgdraw.Tiles{Rows: 1, Cols: 2, PadX: vg.Centimeter, PadTop: margin, PadBottom: margin, PadLeft: margin, PadRight: margin}
	plots := [][]*plot.Plot{{curve, board}}
	for i, part := range plot.Align(plots, tiles, vgdraw.New(canvas))[0] {
		plots[0][i].Draw(part)
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

func curvePlot(points []point) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.Title.Padding = "more features, fewer errors", vg.Points(8)
	p.X.Label.Text, p.Y.Label.Text = "features", "error on the test rows, %"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	xy := make(plotter.XYs, len(points))
	for i, q := range points {
		xy[i] = plotter.XY{X: float64(q.features), Y: 100 * q.error}
	}
	line, dots, err := plotter.NewLinePoints(xy)
	if err != nil {
		return nil, err
	}
	blue := color.RGBA{R: 31, G: 90, B: 180, A: 255}
	line.Color, line.Width = blue, vg.Points(1.5)
	dots.GlyphStyle = vgdraw.GlyphStyle{Color: blue, Radius: vg.Points(3), Shape: vgdraw.CircleGlyph{}}
	p.Add(plotter.NewGrid(), line, dots)
	p.Y.Min = 0
	return p, nil
}

// boardPlot draws the score as a map, and the border between the labels.
func boardPlot(c *doublysgd.Classifier) (*plot.Plot, error) {
	x := mat.NewDense(lines*lines, 2, nil)
	for i := range lines * lines {
		x.SetRow(i, []float64{scores{}.X(i % lines), scores{}.Y(i / lines)})
	}
	f, err := c.Scores(x)
	if err != nil {
		return nil, err
	}
	g := scores{mat.NewDense(lines, lines, f.RawMatrix().Data)}
	colours := moreland.SmoothBlueRed()
	colours.SetMin(-1.5)
	colours.SetMax(1.5)
	heat := plotter.NewHeatMap(g, colours.Palette(255))
	heat.Min, heat.Max, heat.Rasterized = -1.5, 1.5, true
	heat.Underflow, heat.Overflow = heat.Palette.Colors()[0], heat.Palette.Colors()[254]
	border := plotter.NewContour(g, []float64{0}, black{})
	border.LineStyles[0].Width = vg.Points(1)
	p := plot.New()
	p.Title.Text, p.Title.Padding = "the learned score and its border", vg.Points(8)
	p.X.Label.Text, p.Y.Label.Text = "first input", "second input"
	p.Add(heat, border)
	return p, nil
}

// black is a palette of one colour.
type black struct{}

func (black) Colors() []color.Color { return []color.Color{color.Black} }

// scores holds values at the crossings of equally spaced lines over the board.
type scores struct{ values *mat.Dense }

const lines = 161

func (scores) Dims() (columns, rows int)   { return lines, lines }
func (s scores) Z(column, row int) float64 { return s.values.At(row, column) }
func (scores) X(column int) float64        { return float64(column) / (lines - 1) }
func (scores) Y(row int) float64           { return float64(row) / (lines - 1) }
