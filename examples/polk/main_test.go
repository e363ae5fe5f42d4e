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
	rows := 5000
	if !testutil.LongTests() {
		rows = 2500
	}
	var out bytes.Buffer
	dir := t.TempDir()
	results, err := run(context.Background(), &out, dir, rows)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(out.String())
	best := results[0].error
	for _, r := range results[1:] {
		// The standard error of 5 % with 5000 test rows is 0.3 %. There are 15 modes.
		if r.error > best+0.02 || r.points > 40 {
			t.Errorf("%s: error %v with %d points, want %v and 0.02 more with some 15 to 40 points", r.name, r.error, r.points, best)
		}
	}
	picturetest.TellApart(t, strong...)
	picturetest.Written(t, out.String(), filepath.Join(dir, "polk.png"))
}

// The best rule has the lowest error. The regions are the regions of the classifier, at their
// positions in the plot.
func TestRegions(t *testing.T) {
	m := newMixture(4)
	c, err := learn(context.Background(), m.stream(2000, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	x, labels := m.draw(1000, newSource(2))
	g, err := newRegions(x, c)
	if err != nil {
		t.Fatal(err)
	}
	predicted, err := c.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	best, wrong, differ := m.bayes(x), 0, 0
	for i := range 1000 {
		column := int((x.At(i, 0)-g.X(0))/(g.X(1)-g.X(0)) + 0.5)
		row := int((x.At(i, 1)-g.Y(0))/(g.Y(1)-g.Y(0)) + 0.5)
		if g.Z(column, row) != predicted.At(i, 0) {
			differ++
		}
		if best.At(i, 0) != labels.At(i, 0) {
			wrong++
		}
	}
	if differ > 20 || wrong > 80 {
		t.Errorf("%d of 1000 rows lie in the region of another class, and the best rule is wrong about %d", differ, wrong)
	}
}
