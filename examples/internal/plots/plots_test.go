package plots

import (
	"errors"
	"image"
	"image/color"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	_ "image/png"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// Each plot is in its own part of the picture: it is told by its background.
func TestSave(t *testing.T) {
	colours := [][]color.RGBA{
		{{R: 255, A: 255}, {G: 255, A: 255}, {B: 255, A: 255}},
		{{R: 255, G: 255, A: 255}, {G: 255, B: 255, A: 255}, {R: 255, B: 255, A: 255}},
	}
	var table [][]*plot.Plot
	for _, row := range colours {
		var plots []*plot.Plot
		for _, c := range row {
			p := plot.New()
			p.BackgroundColor = c
			p.HideAxes()
			plots = append(plots, p)
		}
		table = append(table, plots)
	}
	path := filepath.Join(t.TempDir(), "a.png")
	if err := Save(path, table, 12*vg.Centimeter, 8*vg.Centimeter); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, _, err := image.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	w, h := m.Bounds().Dx(), m.Bounds().Dy()
	for i, row := range colours {
		for j, want := range row {
			x, y := w*(2*j+1)/6, h*(2*i+1)/4
			if got := color.RGBAModel.Convert(m.At(x, y)); got != want {
				t.Errorf("plot %d, %d: %v at (%d, %d), want %v", i, j, got, x, y, want)
			}
		}
	}
	gone := filepath.Join(t.TempDir(), "none", "a.png")
	if err := Save(gone, table, vg.Centimeter, vg.Centimeter); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: error %v", err)
	}
}
