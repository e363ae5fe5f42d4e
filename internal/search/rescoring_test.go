package search

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestEnlarged starts from a kernel that is too wide. It expects a narrower kernel with at
// most half the error, and no increase of the error from there.
func TestEnlarged(t *testing.T) {
	x, y := wave(1500, 3, 0.1)
	o := Options{Rows: 100, Rescore: true, Families: []Family{GaussianFamily}}
	p := newProblem(compute.DensePoints(x), y, nil, SampleOrder(1500, 100, nil, 0), &o)
	e := newRescoring(newSearch(p, &o, sizesOf(100)), compute.DensePoints(x), y, nil, 100, &o)
	wide := candidate{width: 2, noise: -2}
	found := e.improve(wide)
	if test := e.heldOut.y.Rows; e.x.Rows != 1000 || test != 500 {
		t.Fatalf("%d rows to learn from and %d to predict", e.x.Rows, test)
	}
	if found.width >= wide.width || e.score(found).error > e.score(wide).error/2 {
		t.Errorf("from %+v of error %v to %+v of error %v", wide, e.score(wide).error, found, e.score(found).error)
	}
	if again := e.improve(found); e.score(again).error > e.score(found).error {
		t.Errorf("from %+v to %+v, which is worse", found, again)
	}
	if few := newRescoring(newSearch(p, &o, sizesOf(100)), compute.DensePoints(x), y, nil, 1000, &o); few != nil {
		t.Error("a sample of most of the rows is rescored")
	}
}

// TestEnlargedMetric expects a full metric for a function of one oblique direction, which
// column weights cannot represent, unless full metrics are disabled.
func TestEnlargedMetric(t *testing.T) {
	const n, d = 1500, 8
	s := rng.New(1, "enlarged metric", 0)
	x := compute.NewMatrix(n, d)
	one, many := compute.NewMatrix(n, 1), compute.NewMatrix(n, 30) // many uses fewer rows for gradients
	for i := range n {
		z := 0.0
		for j := range d {
			x.Data[i*d+j] = s.NormFloat64()
			z += x.Data[i*d+j] / math.Sqrt(d)
		}
		one.Data[i] = math.Sin(2*z) + 0.1*s.NormFloat64()
		floats.AddConst(one.Data[i], compute.Row(many, i))
	}
	for _, c := range []struct {
		y    compute.Matrix
		kind kernel.Metric
	}{{one, kernel.AutoMetric}, {one, kernel.FullMetric}, {many, kernel.FullMetric}, {one, kernel.DiagonalMetric}, {one, kernel.NoMetric}} {
		y, kind := c.y, c.kind
		o := Options{Rows: 100, Rescore: true, Families: []Family{GaussianFamily}, Metric: kind}
		p := newProblem(compute.DensePoints(x), y, nil, SampleOrder(n, 100, nil, 0), &o)
		e := newRescoring(newSearch(p, &o, sizesOf(100)), compute.DensePoints(x), y, nil, 100, &o)
		from := candidate{noise: -2}
		found := e.improve(from)
		full := p.scales[found.scale].matrix.Rows > 0
		if may := kind == kernel.AutoMetric || kind == kernel.FullMetric; full != may {
			t.Errorf("%v: a full metric is found: %t", kind, full)
		} else if ratio := e.score(found).error / e.score(from).error; may && ratio > 0.2 {
			t.Errorf("%v: the error is %.3f times that without a metric", kind, ratio)
		}
	}
}

// TestEnlargedProgress checks that progress includes the comparison on the larger sample,
// which needs most of the time for thousands of rows.
func TestEnlargedProgress(t *testing.T) {
	x, y := wave(700, 2, 0.1)
	o := Options{Rows: 100, Rescore: true, Families: []Family{GaussianFamily}}
	var reached []float64
	var total float64
	o.Progress = func(done, all float64) {
		if len(reached) > 0 && (done < reached[len(reached)-1] || all != total) || done > all {
			t.Errorf("%v of %v after %v", done, all, reached)
		}
		reached, total = append(reached, done), all
	}
	Tune(compute.DensePoints(x), y, nil, o)
	if reached[len(reached)-1] != total {
		t.Errorf("ended at %v of %v", reached[len(reached)-1], total)
	}
	p := newProblem(compute.DensePoints(x), y, nil, SampleOrder(700, 100, nil, 0), &o)
	e := newRescoring(newSearch(p, &o, sizesOf(100)), compute.DensePoints(x), y, nil, 100, &o)
	part := slices.DeleteFunc(reached, func(done float64) bool { return done <= total-e.work() || done == total })
	if len(part) < 3 {
		t.Errorf("%d reports between %v and %v", len(part), total-e.work(), total)
	}
}
