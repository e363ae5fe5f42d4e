package main

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

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
	fitted, streamed, err := run(context.Background(), &out, dir, rows)
	if err != nil {
		t.Fatal(err)
	}
	if fitted.train > 0.1 || fitted.train < 0.095 {
		t.Errorf("%v of the points trained on are novel, want .1", fitted.train)
	}
	if streamed.train > 0.13 || streamed.train < 0.05 {
		t.Errorf("from a stream, %v of the points are novel, want about .1", streamed.train)
	}
	for _, o := range []outcome{fitted, streamed} {
		// About a twentieth of all points, half of the points outside, belong to the rings.
		if o.rings > 0.12 {
			t.Errorf("%v of more points of the rings are novel", o.rings)
		}
		if o.outliers < 0.6 {
			t.Errorf("%v of the outliers are novel", o.outliers)
		}
	}
	picturetest.Written(t, out.String(), filepath.Join(dir, "novelty.png"))
}
