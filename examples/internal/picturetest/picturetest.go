// Package picturetest is what the tests of the examples ask of a picture.
package picturetest

import (
	"image/png"
	"os"
	"strings"
	"testing"
)

// Written is Check, and fails t unless the report of a command says that it wrote
// path.
func Written(t testing.TB, report, path string) {
	t.Helper()
	if !strings.Contains(report, "wrote "+path) {
		t.Errorf("%s is not named in:\n%s", path, report)
	}
	Check(t, path)
}

// Check fails t unless path is a PNG with something drawn on it.
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
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if m.At(x, y) != m.At(b.Min.X, b.Min.Y) {
				return
			}
		}
	}
	t.Errorf("%s is blank", path)
}
