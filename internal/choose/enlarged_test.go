package choose

import (
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// TestEnlarged begins from a kernel that is too wide, and asks for a narrower one of half
// its error at most, and to find no worse from there.
func TestEnlarged(t *testing.T) {
	x, y := wave(1500, 3, 0.1)
	o := Options{Rows: 100, Enlarge: true, Families: []Family{GaussianFamily}}
	p := newProblem(compute.DensePoints(x), y, nil, SampleOrder(1500, 100, nil, 0), &o)
	e := newEnlarged(newSearch(p, &o, sizesOf(100)), compute.DensePoints(x), y, nil, 100, &o)
	if e.x.Rows != 1000 || e.test.Rows != 500 {
		t.Fatalf("%d rows to learn from and %d to predict", e.x.Rows, e.test.Rows)
	}
	wide := place{width: 2, noise: -2}
	found := e.improve(wide)
	if found.width >= wide.width || e.rate(found).error > e.rate(wide).error/2 {
		t.Errorf("from %+v of error %v to %+v of error %v", wide, e.rate(wide).error, found, e.rate(found).error)
	}
	if again := e.improve(found); e.rate(again).error > e.rate(found).error {
		t.Errorf("from %+v to %+v, which is worse", found, again)
	}
	if few := newEnlarged(newSearch(p, &o, sizesOf(100)), compute.DensePoints(x), y, nil, 1000, &o); few != nil {
		t.Error("a sample is enlarged that holds most of the rows")
	}
}
