package main

import (
	"bytes"
	"context"
	"math"
	"path/filepath"
	"testing"

	"github.com/rkhs-go/rkhs/examples/internal/picturetest"
)

func TestRun(t *testing.T) {
	var out bytes.Buffer
	dir := t.TempDir()
	o, err := run(context.Background(), &out, dir)
	if err != nil {
		t.Fatal(err)
	}
	// A range of 20 resolves frequencies with a difference of π/20. The peak is more accurate.
	if len(o.found) < 3 {
		t.Fatalf("frequencies %v", o.found)
	}
	seen := make(map[float64]bool)
	for _, f := range o.found[:3] {
		if math.Abs(f-nearest(f)) > math.Pi/60 {
			t.Errorf("frequency %v, the nearest true one is %v", f, nearest(f))
		}
		seen[nearest(f)] = true
	}
	if len(seen) != 3 {
		t.Errorf("frequencies %v are not all true ones", o.found[:3])
	}
	// Labels change about 50 times in the 300 rows, which determine each change to a tenth of
	// the gap. A Gaussian kernel is zero outside the rows and predicts at random there.
	for _, r := range []errorRates{o.sines, o.sparse} {
		if r.inside > 0.08 || r.outside > 0.15 {
			t.Errorf("errors %+v by the learned frequencies", r)
		}
	}
	if o.gaussian.inside > 0.1 || o.gaussian.outside < 0.3 {
		t.Errorf("errors %+v by Gaussian kernels", o.gaussian)
	}
	picturetest.TellApart(t, grey, blue, vermillion)
	picturetest.Written(t, out.String(), filepath.Join(dir, "alignment.png"))
}
