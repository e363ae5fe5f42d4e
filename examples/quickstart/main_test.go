package main

import (
	"bytes"
	"context"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	rows := 1000
	if testing.Short() {
		rows = 300
	}
	var out bytes.Buffer
	dir := t.TempDir()
	c, err := run(context.Background(), &out, dir, rows)
	if err != nil {
		t.Fatal(err)
	}
	// The noise is averaged out, as the root of the number of rows.
	bound := c.noise / 3 * math.Sqrt(1000/float64(rows))
	if c.sparse.rmse > bound || c.exact.rmse > bound {
		t.Errorf("RMSE %v of slkl, %v of exact ridge regression, with noise %v; want at most %v", c.sparse.rmse, c.exact.rmse, c.noise, bound)
	}
	if c.sparse.terms > rows/5 {
		t.Errorf("%d of %d landmarks have weight: not sparse", c.sparse.terms, rows)
	}
	path := filepath.Join(dir, "quickstart.png")
	if !strings.Contains(out.String(), "wrote "+path) {
		t.Errorf("the picture is not named in:\n%s", out.String())
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := png.Decode(f); err != nil {
		t.Errorf("the picture: %v", err)
	}
}
