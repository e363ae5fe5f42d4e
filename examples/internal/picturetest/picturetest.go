// Package picturetest checks the pictures of the examples.
package picturetest

import (
	"image/color"
	"image/png"
	"os"
	"strings"
	"testing"
)

// Written is like Check, and also fails t unless the report names path as written.
func Written(t testing.TB, report, path string) {
	t.Helper()
	if !strings.Contains(report, "wrote "+path) {
		t.Errorf("%s is not named in:\n%s", path, report)
	}
	Check(t, path)
}

// Check fails t unless path is a PNG file with a drawing that does not touch the edge.
func Check(t testing.TB, path string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	b := m.Bounds()
	inside, edge := 0, 0
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if m.At(x, y) == m.At(b.Min.X, b.Min.Y) {
				continue
			}
			inside++
			if x == b.Min.X || x == b.Max.X-1 || y == b.Min.Y || y == b.Max.Y-1 {
				edge++
			}
		}
	}
	if inside == 0 {
		t.Errorf("%s is blank", path)
	}
	if edge > 0 {
		t.Errorf("%s is cut off: %d pixels at its edge have another colour", path, edge)
	}
}

// TellApart fails t unless all viewers, with and without Deficiencies, see a clear difference
// between any two colours.
func TellApart(t testing.TB, colours ...color.Color) {
	t.Helper()
	for i, a := range colours {
		for _, b := range colours[:i] {
			if d := Distance(a, b); d < 10 {
				t.Errorf("%v and %v are %.1f apart", a, b, d)
			}
			for name, see := range Deficiencies {
				if d := Distance(see(a), see(b)); d < 10 {
					t.Errorf("%s: %v and %v are %.1f apart", name, a, b, d)
				}
			}
		}
	}
}
