package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/rkhs-go/rkhs/examples/internal/picturetest"
)

func Example() {
	os.Args = []string{"polk", "-h"}
	main()
	// Output: polk takes no arguments
}

func TestRun(t *testing.T) {
	rows := 5000
	if testing.Short() {
		rows = 1500
	}
	var out bytes.Buffer
	dir := t.TempDir()
	results, err := run(context.Background(), &out, dir, rows)
	if err != nil {
		t.Fatal(err)
	}
	task := drawTask(rows, 3)
	for _, r := range results {
		ours, merging := r.methods[0].points, r.methods[2].points
		end := ours[len(ours)-1]
		if end.Error > task.bayes+0.02 || end.Order > 30 {
			t.Errorf("%s: error %v with %d points, want %v and 0.02 more with 30 points", r.name, end.Error, end.Order, task.bayes)
		}
		if e := merging[len(merging)-1].Error; e < end.Error {
			t.Errorf("%s: error %v, merging has %v", r.name, end.Error, e)
		}
	}
	for _, name := range []string{"polk-regions.png", "polk-curves.png"} {
		picturetest.Written(t, out.String(), filepath.Join(dir, name))
	}
}

// The regions are those of the classifier, in the place that the plot gives them.
func TestRegions(t *testing.T) {
	task := drawTask(1500, 3)
	r, err := task.learn(context.Background(), losses[0])
	if err != nil {
		t.Fatal(err)
	}
	g, err := newRegions(task.train.X, r.model)
	if err != nil {
		t.Fatal(err)
	}
	same, inside := 0, 0
	for i, y := range task.train.Y {
		x := task.train.X.RawRowView(i)
		column := int((x[0]-g.X(0))/(g.X(1)-g.X(0)) + 0.5)
		row := int((x[1]-g.Y(0))/(g.Y(1)-g.Y(0)) + 0.5)
		if column < 0 || row < 0 || column >= regionLines || row >= regionLines {
			t.Fatalf("row %v is outside of the picture", x)
		}
		inside++
		if g.Z(column, row) == y {
			same++
		}
	}
	if same < inside*85/100 {
		t.Errorf("%d of %d rows lie in the region of their class", same, inside)
	}
}
