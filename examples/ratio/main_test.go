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
	o, err := run(context.Background(), &out, dir, 500)
	if err != nil {
		t.Fatal(err)
	}
	// Near 2 the curve is linear to within 0.05, and the noise of 0.1 averages out. Least
	// squares without weights follows the decrease between 0 and 1.
	if !(o.weighted < 0.12) || !(o.plain > 3*o.weighted) {
		t.Errorf("RMSE %v with weights, %v without", o.weighted, o.plain)
	}
	if !(math.Abs(o.divergence-trueDivergence()) < 0.3) {
		t.Errorf("divergence %v, want %v: 500 rows tell it to a tenth", o.divergence, trueDivergence())
	}
	if !(math.Abs(o.same) < 0.05) {
		t.Errorf("divergence %v of two samples of one distribution", o.same)
	}
	picturetest.TellApart(t, grey, blue, vermillion)
	picturetest.Written(t, out.String(), filepath.Join(dir, "ratio.png"))
}
