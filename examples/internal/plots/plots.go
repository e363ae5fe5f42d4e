// Package plots draws several plots as one picture.
package plots

import (
	"os"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Save draws a table of plots, all rows of one length, as a PNG file.
func Save(path string, table [][]*plot.Plot, width, height vg.Length) error {
	const margin, gap = 4 * vg.Millimeter, vg.Centimeter
	c := vgimg.PngCanvas{Canvas: vgimg.New(width, height)}
	tiles := draw.Tiles{Rows: len(table), Cols: len(table[0]), PadX: gap, PadY: gap,
		PadTop: margin, PadBottom: margin, PadLeft: margin, PadRight: margin}
	for i, row := range plot.Align(table, tiles, draw.New(c)) {
		for j, canvas := range row {
			table[i][j].Draw(canvas)
		}
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := c.WriteTo(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
