package main

// All examples that draw a map of a function have this file.

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// addMap adds a map of the values from −span to span, and returns a bar with their colours.
func addMap(p *plot.Plot, values plotter.GridXYZ, span float64, name string) panel {
	colours := moreland.SmoothBlueRed()
	colours.SetMin(-span)
	colours.SetMax(span)
	heat := plotter.NewHeatMap(values, colours.Palette(255))
	heat.Min, heat.Max, heat.Rasterized = -span, span, true
	heat.Underflow, heat.Overflow = heat.Palette.Colors()[0], heat.Palette.Colors()[254]
	p.Add(heat)
	return colourBar(colours, name)
}

func colourBar(colours palette.ColorMap, name string) panel {
	bar := newPlot("", "", name)
	bar.HideX()
	bar.Add(&plotter.ColorBar{ColorMap: colours, Vertical: true})
	return panel{Plot: bar, width: 2 * vg.Centimeter, bar: true}
}
