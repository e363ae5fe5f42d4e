package picturetest

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// counter counts errors in place of failing.
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
	drawn.Set(29, 19, color.RGBA{R: 255, A: 255})
	for _, c := range []struct {
		name   string
		data   []byte
		errors int
	}{
		{"drawn", encode(t, drawn), 0},
		{"blank", encode(t, blank), 1},
		{"cut", encode(t, drawn)[:40], 1},
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

func encode(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
