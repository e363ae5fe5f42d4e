package main

import (
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/examples/internal/plots"
	"github.com/rkhs-go/rkhs/examples/papers/alignmentpaper"
	"github.com/rkhs-go/rkhs/kernel"
)

var (
	grey = color.Gray{Y: 170}
	blue = color.RGBA{R: 31, G: 90, B: 180, A: 255}
	red  = color.RGBA{R: 200, G: 40, B: 30, A: 255}
)

// draw writes the picture as a PNG file: the target with what was learned, the
// frequencies in the learned kernel, and the errors of all methods.
func draw(path string, l *alignment.Classifier, scores []alignmentpaper.Score) error {
	target, err := targetPlot(l)
	if err != nil {
		return err
	}
	spectrum, err := spectrumPlot(l.Model().Learned().Kernel)
	if err != nil {
		return err
	}
	errors, err := errorPlot(scores)
	if err != nil {
		return err
	}
	return plots.Save(path, [][]*plot.Plot{{target, spectrum, errors}}, 36*vg.Centimeter, 12*vg.Centimeter)
}

// targetPlot shows the middle of the sum of sines, and the scores whose sign is
// predicted.
func targetPlot(l *alignment.Classifier) (*plot.Plot, error) {
	const low, high, points = -4.0, 4.0, 801
	x := mat.NewDense(points, 1, nil)
	truth, sign := make(plotter.XYs, points), make(plotter.XYs, points)
	for i := range points {
		v := low + (high-low)*float64(i)/(points-1)
		x.Set(i, 0, v)
		f := alignmentpaper.SumOfSines(v)
		truth[i] = plotter.XY{X: v, Y: f}
		sign[i] = plotter.XY{X: v, Y: math.Copysign(1, f)}
	}
	scores, err := l.Scores(x)
	if err != nil {
		return nil, err
	}
	scale := 3 / math.Max(mat.Max(scores), -mat.Min(scores))
	learned := make(plotter.XYs, points)
	for i := range learned {
		learned[i] = plotter.XY{X: x.At(i, 0), Y: scale * scores.At(i, 0)}
	}
	p := plot.New()
	p.Title.Text = "labels, sum of sines, and learned score (scaled)"
	p.X.Label.Text = "x"
	p.Y.Min, p.Y.Max = -4, 5
	p.Legend.Top = true
	for _, line := range []struct {
		name   string
		points plotter.XYs
		colour color.Color
	}{{"sum of sines", truth, grey}, {"label", sign, red}, {"learned score", learned, blue}} {
		if err := addLine(p, line.name, line.points, line.colour); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func addLine(p *plot.Plot, name string, points plotter.XYs, colour color.Color) error {
	l, err := plotter.NewLine(points)
	if err != nil {
		return err
	}
	l.Color = colour
	p.Add(l)
	if name != "" {
		p.Legend.Add(name, l)
	}
	return nil
}

// spectrumPlot shows the weight of each frequency in the learned kernel.
func spectrumPlot(learned kernel.Sum) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = "frequencies in the learned kernel"
	p.X.Label.Text, p.Y.Label.Text = "frequency", "weight"
	p.X.Min, p.X.Max = 0, 10
	p.Legend.Top = true
	top := 0.0
	for _, k := range learned {
		top = max(top, k.(kernel.Scale).By)
	}
	for i, f := range alignmentpaper.Frequencies() {
		if err := addLine(p, once("true", i), stem(f, 1.1*top), grey); err != nil {
			return nil, err
		}
	}
	for i, k := range learned {
		term := k.(kernel.Scale)
		if err := addLine(p, once("found", i), stem(term.Of.(kernel.Dirichlet).Sigma, term.By), blue); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// once names the first of several lines of one kind.
func once(name string, i int) string {
	if i > 0 {
		return ""
	}
	return name
}

func stem(x, height float64) plotter.XYs { return plotter.XYs{{X: x, Y: 0}, {X: x, Y: height}} }

// bars are mean errors with their standard deviations over the draws.
type bars []alignmentpaper.Score

func (b bars) Len() int                { return len(b) }
func (b bars) XY(i int) (x, y float64) { return float64(i), b[i].Errors.Mean() }
func (b bars) YError(i int) (low, high float64) {
	s := b[i].Errors.Std()
	return s, s
}

// errorPlot shows the errors of all methods.
func errorPlot(scores []alignmentpaper.Score) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = "errors on test rows"
	p.Y.Label.Text = "per cent"
	values, names := make(plotter.Values, len(scores)), make([]string, len(scores))
	for i, s := range scores {
		values[i], names[i] = s.Errors.Mean(), s.Method
	}
	chart, err := plotter.NewBarChart(values, 0.8*vg.Centimeter)
	if err != nil {
		return nil, err
	}
	chart.Color = blue
	whiskers, err := plotter.NewYErrorBars(bars(scores))
	if err != nil {
		return nil, err
	}
	p.Add(chart, whiskers)
	p.NominalX(names...)
	p.Y.Min = 0
	return p, nil
}
