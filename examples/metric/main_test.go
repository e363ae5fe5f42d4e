package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"path/filepath"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/examples/internal/picturetest"
	"github.com/rkhs-go/rkhs/internal/testutil"
)

func TestRun(t *testing.T) {
	rows := 800
	if !testutil.LongTests() {
		rows = 600
	}
	var out bytes.Buffer
	dir := t.TempDir()
	o, err := run(context.Background(), &out, dir, rows)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(out.String())
	if o.angle > 0.1 {
		t.Errorf("the directions found are %v rad from the true ones, want 0.1 at most", o.angle)
	}
	if o.metric > o.isotropic/2 || o.metric > o.bandwidth/2 {
		t.Errorf("errors: %v with the metric, want half of %v with one bandwidth and of %v with one for each column", o.metric, o.isotropic, o.bandwidth)
	}
	picturetest.Written(t, out.String(), filepath.Join(dir, "metric.png"))
}

func TestRunCancelled(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := run(ctx, io.Discard, t.TempDir(), 800); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error of a search that is cut short is %v, want that of the context", err)
	}
}

// The angle does not depend on the bases of the planes.
func TestAngle(t *testing.T) {
	a := mat.NewDense(2, 3, []float64{1, 0, 0, 1, 1, 0})
	tilted := mat.NewDense(2, 3, []float64{2, 0, 0, 3, math.Cos(0.3), math.Sin(0.3)})
	if got := angle(a, tilted); math.Abs(got-0.3) > 1e-12 {
		t.Errorf("the angle is %v, want 0.3", got)
	}
}
