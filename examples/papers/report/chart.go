package report

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
)

// Line is a line of a chart. Lines with the same label share a colour and one
// entry of the legend; an empty label has none.
type Line struct {
	Label  string
	Points plotter.XYs
}

// Chart is a figure of lines.
type Chart struct {
	Title, X, Y string
	LogX        bool // logarithmic x axis
	Lines       []Line
}

// Save draws the chart as a PNG file.
func (c Chart) Save(path string) error {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.Title, c.X, c.Y
	p.Title.Padding = vg.Points(6)
	p.Legend.Padding = vg.Points(3)
	if c.LogX {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	}
	colours := make(map[string]int)
	for _, line := range c.Lines {
		l, err := plotter.NewLine(line.Points)
		if err != nil {
			return err
		}
		k, known := colours[line.Label]
		if !known {
			k = len(colours)
			colours[line.Label] = k
		}
		l.Color = plotutil.Color(k)
		p.Add(l)
		if !known && line.Label != "" {
			p.Legend.Add(line.Label, l)
		}
	}
	return p.Save(18*vg.Centimeter, 12*vg.Centimeter, path)
}
