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
	part := 1.0
	if !testutil.LongTests() {
		part = 0.5
	}
	var out bytes.Buffer
	dir := t.TempDir()
	results, err := run(context.Background(), &out, dir, part)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(out.String())
	for i, c := range []struct {
		limit float64 // of the error
		times float64 // as large as that of the usual method it may be
		why   string
	}{
		{0.04, 1.25, "noise of 0.1 on 600 or 300 rows averages out, as well as in exact regression"},
		{0.12, 1.25, "the spirals are 0.17 apart with noise of 0.05, so that the best rule errs in about 9 %"},
		{0.15, 0.5, "a kernel that sees three columns of ten needs far fewer rows than one that sees all"},
		{0.13, 0.2, "the noise is 0.1, and what was learned once is soon wrong"},
	} {
		if r := results[i]; !(r.error <= c.limit) || !(r.error <= c.times*r.baseline) {
			t.Errorf("%s: error %v, %v of the usual method: %s", tasks[i].learner, r.error, r.baseline, c.why)
		}
		picturetest.Written(t, out.String(), filepath.Join(dir, "quickstart-"+tasks[i].learner+".png"))
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := run(ctx, new(bytes.Buffer), t.TempDir(), 0.2); err == nil {
		t.Error("no error")
	}
}
