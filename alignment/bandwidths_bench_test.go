package alignment

import (
	"context"
	"testing"

	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/kernel"
)

// BenchmarkBandwidths learns a bandwidth for each of 60 columns.
func BenchmarkBandwidths(b *testing.B) {
	x, y := problem(500, 60, 1)
	s := newSearch(settingsOf(b, Options{Family: kernel.ARD{Of: kernel.Gaussian{}}}), monitor.New(context.Background(), nil, "alignment"))
	for b.Loop() {
		r, err := s.learn(examples{x: x, y: y}, 0.01)
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for _, s := range r.Iterations {
			n += s.Evaluations
		}
		b.ReportMetric(float64(len(r.Iterations)), "kernels")
		b.ReportMetric(float64(n), "evaluations")
	}
}
