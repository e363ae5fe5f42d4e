package main

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/rkhs-go/rkhs/examples/internal/picturetest"
)

func Example() {
	os.Args = []string{"quickstart", "-h"}
	main()
	// Output: quickstart takes no arguments
}

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
	picturetest.Written(t, out.String(), filepath.Join(dir, "quickstart.png"))
}
