package main

import (
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"

	"github.com/rkhs-go/rkhs/examples/internal/plots"
	"github.com/rkhs-go/rkhs/slkl"
)

var (
	grey = color.Gray{Y: 190}
	blue = color.RGBA{R: 31, G: 90, B: 180, A: 255}
	red  = color.RGBA{R: 200, G: 40, B: 30, A: 255}
)

// draw writes a picture of the learned function as a PNG file: on the left
// along the radius, on the right as a map, each with the landmarks.
func draw(path string, t task, m *slkl.Model, landmarks *mat.Dense) error {
	profile, err := profilePlot(t, m, landmarks)
	if err != nil {
		return err
	}
	surface, err := mapPlot(m, landmarks)
	if err != nil {
		return err
	}
	return plots.Save(path, [][]*plot.Plot{{profile, surface}}, 30*vg.Centimeter, 14*vg.Centimeter)
}

// profilePlot shows values over the radius ‖x‖, of which alone the true
// function depends.
func profilePlot(t task, m *slkl.Model, landmarks *mat.Dense) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = "what was learned, along the radius"
	p.X.Label.Text = "radius ‖x‖"
	p.Y.Label.Text = "y"
	p.Legend.Top = true
	p.Legend.Padding = vg.Points(3)
	p.X.Max, p.Y.Max = 5*math.Sqrt2, 1.5

	data := radial(t.train.X, t.train.Y)
	f, err := m.Predict(t.test.X)
	if err != nil {
		return nil, err
	}
	fit := radial(t.test.X, f.RawMatrix().Data)
	at, err := m.Predict(landmarks)
	if err != nil {
		return nil, err
	}
	if err := scatter(p, "noisy training rows", data, grey, 1.2); err != nil {
		return nil, err
	}
	if err := scatter(p, "learned function at the test rows", fit, blue, 1.4); err != nil {
		return nil, err
	}
	truth := plotter.NewFunction(func(r float64) float64 {
		if r == 0 {
			return 1
		}
		return math.Sin(r) / r
	})
	truth.Samples = 200
	truth.Width = vg.Points(1.5)
	p.Add(truth)
	p.Legend.Add("true function sin r / r", truth)
	return p, scatter(p, "landmarks with weight", radial(landmarks, at.RawMatrix().Data), red, 3)
}

func radial(x *mat.Dense, y []float64) plotter.XYs {
	points := make(plotter.XYs, len(y))
	for i, v := range y {
		points[i] = plotter.XY{X: math.Hypot(x.At(i, 0), x.At(i, 1)), Y: v}
	}
	return points
}

func scatter(p *plot.Plot, label string, points plotter.XYer, c color.Color, radius float64) error {
	s, err := glyphs(points, c, radius)
	if err != nil {
		return err
	}
	p.Add(s)
	p.Legend.Add(label, s)
	return nil
}

func glyphs(points plotter.XYer, c color.Color, radius float64) (*plotter.Scatter, error) {
	s, err := plotter.NewScatter(points)
	if err != nil {
		return nil, err
	}
	s.GlyphStyle = vgdraw.GlyphStyle{Color: c, Radius: vg.Points(radius), Shape: vgdraw.CircleGlyph{}}
	return s, nil
}

// mapPlot shows the learned function over the plane.
func mapPlot(m *slkl.Model, landmarks *mat.Dense) (*plot.Plot, error) {
	g, err := evaluate(m)
	if err != nil {
		return nil, err
	}
	colours := moreland.SmoothBlueRed()
	colours.SetMin(-1)
	colours.SetMax(1)
	heat := plotter.NewHeatMap(g, colours.Palette(256))
	heat.Min, heat.Max = -1, 1
	heat.Rasterized = true

	p := plot.New()
	p.Title.Text = "the learned function over the plane (blue −1, red 1) and its landmarks"
	p.X.Label.Text = "first input"
	p.Y.Label.Text = "second input"
	p.Add(heat)
	points := make(plotter.XYs, landmarks.RawMatrix().Rows)
	for i := range points {
		points[i] = plotter.XY{X: landmarks.At(i, 0), Y: landmarks.At(i, 1)}
	}
	s, err := glyphs(points, color.Black, 2.5)
	if err != nil {
		return nil, err
	}
	p.Add(s)
	return p, nil
}

// grid holds values of the function at the crossings of equally spaced lines
// over [−5,5]².
type grid struct{ values *mat.Dense }

const gridLines = 121

func evaluate(m *slkl.Model) (grid, error) {
	x := mat.NewDense(gridLines*gridLines, 2, nil)
	for i := range gridLines * gridLines {
		x.SetRow(i, []float64{coordinate(i % gridLines), coordinate(i / gridLines)})
	}
	f, err := m.Predict(x)
	if err != nil {
		return grid{}, err
	}
	return grid{mat.NewDense(gridLines, gridLines, f.RawMatrix().Data)}, nil
}

func coordinate(i int) float64 { return 10*float64(i)/(gridLines-1) - 5 }

func (grid) Dims() (columns, rows int)   { return gridLines, gridLines }
func (g grid) Z(column, row int) float64 { return g.values.At(row, column) }
func (grid) X(column int) float64        { return coordinate(column) }
func (grid) Y(row int) float64           { return coordinate(row) }
