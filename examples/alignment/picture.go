package main

import (
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/kernel"
)

var (
	grey       = color.Gray{Y: 170}
	blue       = color.RGBA{R: 0, G: 114, B: 178, A: 255}
	vermillion = color.RGBA{R: 213, G: 94, B: 0, A: 255}
)

// picture draws the labels with the learned scores, and the frequencies of the kernel.
func picture(path string, c *alignment.Classifier) error {
	target, err := targetPlot(c)
	if err != nil {
		return err
	}
	spectrum, err := spectrumPlot(c.Model().Learned().Kernel)
	if err != nil {
		return err
	}
	return writePicture(path, 11*vg.Centimeter, panel{Plot: target, width: 15 * vg.Centimeter}, panel{Plot: spectrum, width: 13 * vg.Centimeter})
}

// targetPlot draws the sum of sines in the middle of its range, and the scores. The sign
// of a score is the predicted label.
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
	p := newPlot("the labels and the fitted score", "x", "label, sum, score (scaled)")
	for _, line := range []struct {
		name   string
		value  func(i int) float64
		colour color.Color
	}{
		{"label", func(i int) float64 { return math.Copysign(1, sumOfSines(x.At(i, 0))) }, vermillion},
		{"sum of sines", func(i int) float64 { return sumOfSines(x.At(i, 0)) }, grey},
		{"learned score", func(i int) float64 { return scale * scores.At(i, 0) }, blue},
	} {
		xy := make(plotter.XYs, points)
		for i := range xy {
			xy[i] = plotter.XY{X: x.At(i, 0), Y: line.value(i)}
		}
		if err := addLine(p, line.name, xy, line.colour, 1.5); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// spectrumPlot draws the weight of each frequency in the learned kernel.
func spectrumPlot(learned kernel.Sum) (*plot.Plot, error) {
	p := newPlot("frequencies in the learned kernel", "frequency", "weight in the kernel")
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
	p.X.Min, p.Y.Min = 0, 0
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
