package main

import (
	"bytes"
	"context"
	"math"
	"path/filepath"
	"testing"

	"github.com/rkhs-go/rkhs/examples/internal/picturetest"
	"github.com/rkhs-go/rkhs/internal/testutil"
)

func TestRun(t *testing.T) {
	rows := 2000
	if !testutil.LongTests() {
		rows = 300
	}
	var out bytes.Buffer
	dir := t.TempDir()
	p, err := run(context.Background(), &out, dir, rows)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(p.noise-noise) > 0.05 {
		t.Errorf("the noise found is %v, want %v", p.noise, noise)
	}
	if p.inside() < 0.85 {
		t.Errorf("the 95 %% band contains the true function at %v of the grid", p.inside())
	}
	widest, at := 0.0, 0.0
	for i, deviation := range p.deviation {
		if x := p.at.AtVec(i); x > from && x < to && deviation > widest {
			widest, at = deviation, x
		}
	}
	if at < gapFrom || at > gapTo {
		t.Errorf("the band is widest at %v, not in the gap", at)
	}
	picturetest.TellApart(t, pale, light, blue, grey)
	picturetest.Written(t, out.String(), filepath.Join(dir, "gp.png"))
}
