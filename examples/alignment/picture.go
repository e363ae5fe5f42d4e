package main

import (
	"image/color"
	"math"
	"os"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/kernel"
)

var (
	grey = color.Gray{Y: 170}
	blue = color.RGBA{R: 31, G: 90, B: 180, A: 255}
	red  = color.RGBA{R: 200, G: 40, B: 30, A: 255}
)

// picture draws the labels with what was learned of them, and the frequencies in the
// learned kernel.
func picture(path string, c *alignment.Classifier) error {
	target, err := targetPlot(c)
	if err != nil {
		return err
	}
	spectrum, err := spectrumPlot(c.Model().Learned().Kernel)
	if err != nil {
		return err
	}
	const margin = 5 * vg.Millimeter
	canvas := vgimg.PngCanvas{Canvas: vgimg.New(32*vg.Centimeter, 12*vg.Centimeter)}
	tiles := vgdraw.Tiles{Rows: 1, Cols: 2, PadX: vg.Centimeter, PadTop: margin, PadBottom: margin, PadLeft: margin, PadRight: margin}
	plots := [][]*plot.Plot{{target, spectrum}}
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

// targetPlot shows the middle of the sum of sines, and the scores whose sign is
// predicted.
func targetPlot(c *alignment.Classifier) (*plot.Plot, error) {
	const low, high, points = -4.0, 4.0, 801
	x := mat.NewDense(points, 1, nil)
	for i := range points {
		x.Set(i, 0, low+(high-low)*float64(i)/(points-1))
	}
	scores, err := c.Scores(x)
	if err != nil {
		return nil, err
	}
	scale := 3 / math.Max(mat.Max(scores), -mat.Min(scores))
	p := plot.New()
	p.Title.Text, p.Title.Padding = "labels, the sum of sines, and the learned score (scaled)", vg.Points(8)
	p.X.Label.Text = "x"
	p.Legend.Top, p.Legend.Padding = true, vg.Points(2)
	for _, line := range []struct {
		name   string
		value  func(i int) float64
		colour color.Color
	}{
		{"label", func(i int) float64 { return math.Copysign(1, sumOfSines(x.At(i, 0))) }, red},
		{"sum of sines", func(i int) float64 { return sumOfSines(x.At(i, 0)) }, grey},
		{"learned score", func(i int) float64 { return scale * scores.At(i, 0) }, blue},
	} {
		xy := make(plotter.XYs, points)
		for i := range xy {
			xy[i] = plotter.XY{X: x.At(i, 0), Y: line.value(i)}
		}
		if err := addLine(p, line.name, xy, line.colour, 1); err != nil {
			return nil, err
		}
	}
	p.Y.Min, p.Y.Max = -4, 5
	return p, nil
}

// spectrumPlot shows the weight of each frequency in the learned kernel.
func spectrumPlot(learned kernel.Sum) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.Title.Padding = "frequencies in the learned kernel", vg.Points(8)
	p.X.Label.Text, p.Y.Label.Text = "frequency", "weight"
	p.Legend.Top, p.Legend.Padding = true, vg.Points(2)
	top := 0.0
	for _, k := range learned {
		top = max(top, k.(kernel.Scale).By)
	}
	name := "true"
	for _, f := range frequencies {
		if err := addLine(p, name, stem(f, 1.1*top), grey, 5); err != nil {
			return nil, err
		}
		name = "" // once in the legend
	}
	name = "found"
	for _, k := range learned {
		term := k.(kernel.Scale)
		if err := addLine(p, name, stem(term.Of.(kernel.Dirichlet).Sigma, term.By), blue, 2); err != nil {
			return nil, err
		}
		name = ""
	}
	p.X.Min, p.X.Max, p.Y.Max = 0, 10, 1.3*top
	return p, nil
}

func stem(x, height float64) plotter.XYs { return plotter.XYs{{X: x, Y: 0}, {X: x, Y: height}} }

func addLine(p *plot.Plot, name string, points plotter.XYs, colour color.Color, width float64) error {
	l, err := plotter.NewLine(points)
	if err != nil {
		return err
	}
	l.Color, l.Width = colour, vg.Points(width)
	p.Add(l)
	if name != "" {
		p.Legend.Add(name, l)
	}
	return nil
}
