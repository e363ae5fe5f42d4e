package main

// All examples that draw a picture have this file.

import (
	"math"
	"os"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// newPlot returns an empty plot with round ticks.
func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.Padding = vg.Points(8)
	p.X.Tick.Marker, p.Y.Tick.Marker = roundTicks{}, roundTicks{}
	p.Legend.Top, p.Legend.Left, p.Legend.Padding = true, true, vg.Points(3)
	p.Legend.ThumbnailWidth = vg.Points(26)
	return p
}

// roundTicks are multiples of 1, 2 or 5 times a power of ten.
type roundTicks struct{}

// Ticks returns four to nine ticks.
func (roundTicks) Ticks(low, high float64) (list []plot.Tick) {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/4)))
	for _, m := range []float64{5, 2} {
		if 4*m*step <= (high-low)*(1+1e-9) {
			step *= m
			break
		}
	}
	decimals := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	for i := math.Ceil(low/step - 1e-9); i*step <= high+1e-9*step; i++ {
		list = append(list, plot.Tick{Value: i * step, Label: strconv.FormatFloat(i*step+0, 'f', decimals, 64)})
	}
	return list
}

// panel is a part of a picture. A bar has no title and no x axis, and the height of the
// drawing in the panel before it.
type panel struct {
	*plot.Plot
	width vg.Length
	bar   bool
}

// writePicture writes panels side by side to a PNG file, with each legend to the right of
// its panel.
func writePicture(path string, height vg.Length, panels ...panel) error {
	const margin = 5 * vg.Millimeter
	width := vg.Length(margin)
	legends, asides := make([]plot.Legend, len(panels)), make([]vg.Length, len(panels))
	for i, p := range panels {
		legends[i], p.Legend = p.Legend, plot.NewLegend()
		if w := legends[i].Rectangle(vgdraw.New(vgimg.New(1, 1))).Size().X; w > 0 {
			asides[i] = w + margin
		}
		width += p.width + asides[i] + margin
	}
	canvas := vgimg.PngCanvas{Canvas: vgimg.New(width, height)}
	part := vgdraw.Crop(vgdraw.New(canvas), 0, 0, margin, -margin)
	var data vgdraw.Canvas // of the previous panel
	for i, p := range panels {
		part.Min.X += margin
		part.Max.X = part.Min.X + p.width
		area := part
		if p.bar {
			area.Min.Y, area.Max.Y = data.Min.Y, data.Max.Y
		}
		p.Draw(area)
		data = p.DataCanvas(area)
		part.Min.X = part.Max.X
		legend := vgdraw.Canvas{Canvas: part.Canvas, Rectangle: data.Rectangle}
		legend.Min.X, legend.Max.X = part.Max.X+margin, part.Max.X+asides[i]
		legends[i].Draw(legend)
		part.Min.X += asides[i]
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
