package alignment

import (
	"context"
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// With landmarks the weighted solution is close to the solution on all rows, and its objective is the
// weighted sum.
func TestWeightsOnPoints(t *testing.T) {
	const n = 300
	draw, e := rng.New(1, "test", 0), examples{x: compute.NewMatrix(n, 2), y: compute.NewMatrix(n, 1), weights: make([]float64, n)}
	for i := range n {
		row := compute.Row(e.x, i)
		row[0], row[1] = draw.NormFloat64(), draw.NormFloat64()
		e.y.Data[i] = math.Sin(2*row[0]) + row[1] + 0.2*draw.NormFloat64()
		e.weights[i] = 0.2
		if e.y.Data[i] > 0.5 { // so that weighted means differ from unweighted means
			e.weights[i] = 3
		}
	}
	r := runWith(t, context.Background(), fitting, Options{})
	f := newRidge(r, kernel.Gaussian{Sigma: 1.5}, e)
	exact, err := f.exact(1)
	if err != nil {
		t.Fatal(err)
	}
	r.options.MemoryLimit = 500_000
	points, err := f.onPoints(1)
	if err != nil {
		t.Fatal(err)
	}
	if points.points.Rows >= n {
		t.Fatalf("%d points", points.points.Rows)
	}
	a, b := f.predict(exact, e.x), f.predict(points, e.x)
	for i, v := range a.Data {
		if math.Abs(v-b.Data[i]) > 1e-3 {
			t.Fatalf("row %d: %v on all rows, %v on points", i, v, b.Data[i])
		}
	}
	if exact.report.Violation > 1e-8 || points.report.Violation > 1e-8 || math.Abs(points.report.Objective/exact.report.Objective-1) > 1e-4 {
		t.Errorf("exact: %+v, on points: %+v", exact.report, points.report)
	}
}

// Counts of rows drawn by weight are within one of their share, and exact for integer weights.
func TestByWeight(t *testing.T) {
	e := examples{x: compute.NewMatrix(4, 1), weights: []float64{0.5, 1, 1.5, 1}}
	if rows := e.byWeight(7, 1); len(rows) != 8 { // 1, 2, 3 and 2 times the least
		t.Errorf("rows %v", rows)
	}
	e.weights = []float64{0.3, 1.234, 1.5, 0.966}
	for seed := range uint64(20) {
		rows, count := e.byWeight(10, seed), make([]int, 4)
		for _, i := range rows {
			count[i]++
		}
		for i, w := range e.weights {
			if part := 10 * w / 4; math.Abs(float64(count[i])-part) >= 1 || len(rows) != 10 {
				t.Errorf("seed %d: %d rows, row %d %d times, its part is %v", seed, len(rows), i, count[i], part)
			}
		}
	}
}
