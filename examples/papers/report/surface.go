package report

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Surface is a colour map of a function on a square, with a colour bar. The colours are symmetric
// about zero.
type Surface struct {
	Title, X, Y, Z string
	Low, High      float64 // both coordinates
	Value          func(x, y float64) float64
}

// surfaceLines is the number of grid lines in each direction.
const surfaceLines = 201

// surfaceGrid holds the values of a surface on a grid.
type surfaceGrid struct {
	Surface
	values []float64
}

func (surfaceGrid) Dims() (columns, rows int) { return surfaceLines, surfaceLines }
func (g surfaceGrid) X(i int) float64 {
	return g.Low + (g.High-g.Low)*float64(i)/(surfaceLines-1)
}
func (g surfaceGrid) Y(i int) float64           { return g.X(i) }
func (g surfaceGrid) Z(column, row int) float64 { return g.values[row*surfaceLines+column] }

// Save writes the map as a PNG file.
func (s Surface) Save(path string) error {
	g, span := surfaceGrid{Surface: s}, 0.0
	for i := range surfaceLines * surfaceLines {
		v := s.Value(g.X(i%surfaceLines), g.Y(i/surfaceLines))
		g.values, span = append(g.values, v), max(span, math.Abs(v))
	}
	colours := moreland.SmoothBlueRed()
	colours.SetMin(-span)
	colours.SetMax(span)
	heat := plotter.NewHeatMap(g, colours.Palette(255))
	heat.Min, heat.Max, heat.Rasterized = -span, span, true
	p := newPlot(s.Title, s.X, s.Y)
	p.Add(heat)
	bar := newPlot("", "", s.Z)
	bar.HideX()
	bar.Add(&plotter.ColorBar{ColorMap: colours, Vertical: true})
	canvas := vgimg.PngCanvas{Canvas: vgimg.New(13*vg.Centimeter, figureHeight-vg.Centimeter)}
	all := draw.Crop(draw.New(canvas), margin, -margin, margin, -margin)
	const barWidth = 2 * vg.Centimeter
	sides := []draw.Canvas{draw.Crop(all, 0, -barWidth-margin, 0, 0), draw.Crop(all, all.Max.X-all.Min.X-barWidth, 0, 0, -p.Title.TextStyle.Height(p.Title.Text)-p.Title.Padding)}
	for i, part := range []*plot.Plot{p, bar} {
		part.Draw(sides[i])
	}
	return write(canvas, path)
}
