package main

import (
	"fmt"
	"image/color"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"

	"github.com/rkhs-go/rkhs/examples/internal/plots"
	"github.com/rkhs-go/rkhs/polk"
)

// strong and pale are the colours of a class: of its rows and of its region.
var strong = []color.Color{
	color.RGBA{R: 200, G: 60, B: 40, A: 255},
	color.RGBA{R: 40, G: 100, B: 190, A: 255},
	color.RGBA{R: 40, G: 140, B: 70, A: 255},
	color.RGBA{R: 150, G: 80, B: 170, A: 255},
	color.RGBA{R: 200, G: 140, B: 20, A: 255},
}

type pale struct{}

// Colors implements palette.Palette.
func (pale) Colors() []color.Color {
	out := make([]color.Color, len(strong))
	for i, c := range strong {
		r, g, b, _ := c.RGBA()
		out[i] = color.RGBA64{R: uint16(65535 - (65535-r)/4), G: uint16(65535 - (65535-g)/4), B: uint16(65535 - (65535-b)/4), A: 65535}
	}
	return out
}

// drawRegions draws figure 3 of the paper: for each loss the regions of the classes,
// some of the rows, and the points of the dictionary.
func drawRegions(path string, t task, results []result) error {
	table := [][]*plot.Plot{nil}
	for _, r := range results {
		p, err := regionPlot(t, r)
		if err != nil {
			return err
		}
		table[0] = append(table[0], p)
	}
	return plots.Save(path, table, 34*vg.Centimeter, 17*vg.Centimeter)
}

func regionPlot(t task, r result) (*plot.Plot, error) {
	g, err := newRegions(t.train.X, r.model)
	if err != nil {
		return nil, err
	}
	points := r.model.Model().Expansion().Points
	p := plot.New()
	p.Title.Text = fmt.Sprintf("%s: regions of the classes, rows, and the %d points of the dictionary", r.name, r.model.Model().ModelOrder())
	p.X.Label.Text, p.Y.Label.Text = "first input", "second input"
	heat := plotter.NewHeatMap(g, pale{})
	heat.Min, heat.Max, heat.Rasterized = 0, classes-1, true
	p.Add(heat)
	for c := range classes {
		if err := addRows(p, rowsOf(t.train.X, t.train.Y, c), vgdraw.GlyphStyle{Color: strong[c], Radius: vg.Points(0.9), Shape: vgdraw.CircleGlyph{}}); err != nil {
			return nil, err
		}
	}
	all := plotter.XYs{}
	if points != nil {
		all = rowsOf(points, make([]float64, points.RawMatrix().Rows), 0)
	}
	return p, addRows(p, all, vgdraw.GlyphStyle{Color: color.Black, Radius: vg.Points(4), Shape: vgdraw.CircleGlyph{}})
}

// drawnRows bounds the rows of a class in the picture.
const drawnRows = 300

func rowsOf(x *mat.Dense, labels []float64, class int) (out plotter.XYs) {
	for i, y := range labels {
		if int(y) == class && len(out) < drawnRows {
			out = append(out, plotter.XY{X: x.At(i, 0), Y: x.At(i, 1)})
		}
	}
	return out
}

func addRows(p *plot.Plot, rows plotter.XYs, style vgdraw.GlyphStyle) error {
	s, err := plotter.NewScatter(rows)
	if err != nil {
		return err
	}
	s.GlyphStyle = style
	p.Add(s)
	return nil
}

// regions is the predicted class at the crossings of equally spaced lines.
type regions struct {
	low, high [2]float64
	labels    *mat.Dense
}

const regionLines = 200

// newRegions covers the rows of x.
func newRegions(x *mat.Dense, c *polk.Classifier) (*regions, error) {
	g := new(regions)
	for j := range 2 {
		column := x.ColView(j)
		g.low[j], g.high[j] = mat.Min(column), mat.Max(column)
	}
	at := mat.NewDense(regionLines*regionLines, 2, nil)
	for i := range regionLines * regionLines {
		at.SetRow(i, []float64{g.X(i % regionLines), g.Y(i / regionLines)})
	}
	labels, err := c.Predict(at)
	if err != nil {
		return nil, err
	}
	g.labels = mat.NewDense(regionLines, regionLines, labels.RawMatrix().Data)
	return g, nil
}

func (g *regions) coordinate(j, i int) float64 {
	return g.low[j] + (g.high[j]-g.low[j])*float64(i)/(regionLines-1)
}

func (*regions) Dims() (columns, rows int)   { return regionLines, regionLines }
func (g *regions) Z(column, row int) float64 { return g.labels.At(row, column) }
func (g *regions) X(column int) float64      { return g.coordinate(0, column) }
func (g *regions) Y(row int) float64         { return g.coordinate(1, row) }
