package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/examples/internal/picturetest"
	"github.com/rkhs-go/rkhs/internal/testutil"
)

func TestRun(t *testing.T) {
	rows := 1000
	if !testutil.LongTests() {
		rows = 400
	}
	var out bytes.Buffer
	dir := t.TempDir()
	points, err := run(context.Background(), &out, dir, rows)
	if err != nil {
		t.Fatal(err)
	}
	// A smooth border misses the corners of the squares by about the distance of the rows:
	// 0.03 for 1000 rows and 0.05 for 400. The borders have length 6.
	first, last := points[0], points[len(points)-1]
	if limit := 60.0 / float64(rows); last.error > limit {
		t.Errorf("error %v with %d features, want at most %v", last.error, last.features, limit)
	}
	if last.error > first.error-0.02 {
		t.Errorf("error %v with %d features, %v with %d", first.error, first.features, last.error, last.features)
	}
	if !strings.Contains(out.String(), "the same bits") {
		t.Errorf("not saved:\n%s", out.String())
	}
	c, err := rkhs.Load[rkhs.Classifier](filepath.Join(dir, "doublysgd.model"))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := c.(*doublysgd.Classifier); !ok {
		t.Errorf("the file holds a %T", c)
	}
	picturetest.Written(t, out.String(), filepath.Join(dir, "doublysgd.png"))
}

// A stopped run writes neither a picture nor a model.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	_, err := run(ctx, new(bytes.Buffer), dir, 200)
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); err == nil || len(left) > 0 {
		t.Errorf("error %v, files %v", err, left)
	}
}
