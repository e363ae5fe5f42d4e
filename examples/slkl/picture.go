package main

import (
	"fmt"
	"image/color"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"

	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

var (
	grey = color.Gray{Y: 170}
	blue = color.RGBA{R: 0, G: 114, B: 178, A: 255}
	inks = []color.Color{color.RGBA{R: 213, G: 94, B: 0, A: 255}, color.Black} // of landmarks
)

// picture draws the rows, the learned function, the true function and the landmarks.
func picture(path string, m *slkl.Model, x, y *mat.Dense) error {
	p := newPlot("a function by a few of its rows", "x", "y")
	if err := addPoints(p, "noisy rows", columns(x, y), grey, 1.5); err != nil {
		return err
	}
	truth := plotter.NewFunction(wave)
	truth.Samples, truth.Width, truth.Dashes = 500, vg.Points(1), []vg.Length{vg.Points(4), vg.Points(3)}
	p.Add(truth)
	p.Legend.Add("true function", truth)
	if err := addLearned(p, m); err != nil {
		return err
	}
	for i, e := range m.Expansions() { // one per kernel
		if e.ModelOrder() == 0 {
			continue
		}
		at := mat.DenseCopyOf(e.Points)
		f, err := m.Predict(at)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("landmarks, bandwidth %g", e.Kernel.(kernel.Gaussian).Sigma)
		if err := addPoints(p, name, columns(at, f), inks[i], 3.5-float64(i)); err != nil {
			return err
		}
	}
	return writePicture(path, 11*vg.Centimeter, panel{Plot: p, width: 18 * vg.Centimeter})
}

// addLearned draws the function of the model.
func addLearned(p *plot.Plot, m *slkl.Model) error {
	const points = 501
	x := mat.NewDense(points, 1, nil)
	for i := range points {
		x.Set(i, 0, 5*float64(i)/(points-1))
	}
	f, err := m.Predict(x)
	if err != nil {
		return err
	}
	line, err := plotter.NewLine(columns(x, f))
	if err != nil {
		return err
	}
	line.Color, line.Width = blue, vg.Points(2)
	p.Add(line)
	p.Legend.Add("learned", line)
	return nil
}

func addPoints(p *plot.Plot, name string, points plotter.XYs, c color.Color, radius float64) error {
	s, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	s.GlyphStyle = vgdraw.GlyphStyle{Color: c, Radius: vg.Points(radius), Shape: vgdraw.CircleGlyph{}}
	p.Add(s)
	p.Legend.Add(name, s)
	return nil
}

// columns returns the pairs of two columns.
func columns(x, y *mat.Dense) plotter.XYs {
	points := make(plotter.XYs, x.RawMatrix().Rows)
	for i := range points {
		points[i] = plotter.XY{X: x.At(i, 0), Y: y.At(i, 0)}
	}
	return points
}
