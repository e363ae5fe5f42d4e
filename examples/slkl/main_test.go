package main

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"github.com/rkhs-go/rkhs/examples/internal/picturetest"
)

func TestRun(t *testing.T) {
	var out bytes.Buffer
	dir := t.TempDir()
	o, err := run(context.Background(), &out, dir, 400)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(out.String())
	// The mean of the rows near a point, within a tenth of a period, has at most half the
	// noise.
	if o.error > noise/2 || o.other > noise/2 {
		t.Errorf("errors %v and %v at noise of %v", o.error, o.other, noise)
	}
	if o.landmarks < 5 || o.landmarks > 60 {
		t.Errorf("%d landmarks for two swings of a wave", o.landmarks)
	}
	if o.gap > 1e-8 {
		t.Errorf("relative duality gap %v", o.gap)
	}
	picturetest.TellApart(t, append(inks, grey, blue)...)
	picturetest.Written(t, out.String(), filepath.Join(dir, "slkl.png"))
}

// A stopped run writes no picture.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	_, err := run(ctx, new(bytes.Buffer), dir, 100)
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); err == nil || len(left) > 0 {
		t.Errorf("error %v, files %v", err, left)
	}
}
