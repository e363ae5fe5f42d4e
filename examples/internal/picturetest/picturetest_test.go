package picturetest

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// counter counts errors instead of failing.
type counter struct {
	testing.TB
	errors int
}

func (c *counter) Helper()               {}
func (c *counter) Error(...any)          { c.errors++ }
func (c *counter) Errorf(string, ...any) { c.errors++ }

func TestCheck(t *testing.T) {
	blank := image.NewRGBA(image.Rect(0, 0, 30, 20))
	drawn := image.NewRGBA(image.Rect(0, 0, 30, 20))
	drawn.Set(28, 18, color.RGBA{R: 255, A: 255})
	cut := image.NewRGBA(image.Rect(0, 0, 30, 20))
	cut.Set(29, 18, color.RGBA{R: 255, A: 255})
	for _, c := range []struct {
		name   string
		data   []byte
		errors int
	}{
		{"drawn", encode(t, drawn), 0},
		{"blank", encode(t, blank), 1},
		{"over the edge", encode(t, cut), 1},
		{"half a file", encode(t, drawn)[:40], 1},
		{"missing", nil, 1},
	} {
		path := filepath.Join(t.TempDir(), "a.png")
		if c.data != nil {
			if err := os.WriteFile(path, c.data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		silent, saying := counter{TB: t}, counter{TB: t}
		Written(&silent, "done", path)
		Written(&saying, "wrote "+path, path)
		if silent.errors != c.errors+1 || saying.errors != c.errors {
			t.Errorf("%s: %d errors and %d if the report does not name it, want %d and one more", c.name, saying.errors, silent.errors, c.errors)
		}
	}
}

// Viewers with a deficiency do not distinguish red and green of equal lightness. Greys of
// different lightness differ for all viewers.
func TestTellApart(t *testing.T) {
	c := counter{TB: t}
	TellApart(&c, color.Gray{Y: 0}, color.Gray{Y: 128}, color.Gray{Y: 255})
	if c.errors != 0 {
		t.Errorf("%d errors about greys", c.errors)
	}
	TellApart(&c, color.RGBA{R: 190, G: 100, B: 60, A: 255}, color.RGBA{R: 120, G: 130, B: 60, A: 255})
	if c.errors != 2 {
		t.Errorf("%d errors about red and green, want those of both deficiencies", c.errors)
	}
}

// The lightness of white is 100, and sRGB red is (53.24, 80.09, 67.20) in published
// conversions to CIELAB.
func TestDistance(t *testing.T) {
	if l := lab(color.White); math.Abs(l[0]-100) > 0.01 || math.Abs(l[1]) > 0.02 || math.Abs(l[2]) > 0.02 {
		t.Errorf("white is %v", l)
	}
	red := lab(color.RGBA{R: 255, A: 255})
	for i, want := range []float64{53.24, 80.09, 67.20} {
		if math.Abs(red[i]-want) > 0.02 {
			t.Errorf("red is %v", red)
		}
	}
	for name, see := range Deficiencies {
		if d := Distance(see(color.White), color.White); d > 1 {
			t.Errorf("%s: white is seen as %v", name, see(color.White))
		}
	}
}

func encode(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
