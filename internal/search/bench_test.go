package search

import (
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// BenchmarkTune searches 3000 rows of 8 columns, of which two matter, with and without a metric.
func BenchmarkTune(b *testing.B) {
	x, noise := normals(3000, 8, "rows"), normals(3000, 1, "noise")
	y := compute.NewMatrix(x.Rows, 1)
	for i := range y.Data {
		row := compute.Row(x, i)
		y.Data[i] = math.Sin(2*row[0]+row[1]) + row[1] + noise.Data[i]/10
	}
	for _, m := range []kernel.Metric{kernel.NoMetric, kernel.AutoMetric} {
		b.Run(m.String(), func(b *testing.B) {
			for b.Loop() {
				Tune(compute.DensePoints(x), y, nil, Options{Metric: m})
			}
		})
	}
}
