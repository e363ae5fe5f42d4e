package alignment

import (
	"testing"

	"github.com/rkhs-go/rkhs/kernel"
)

// BenchmarkBandwidths learns a bandwidth for each of 60 columns.
func BenchmarkBandwidths(b *testing.B) {
	x, y := problem(500, 60, 1)
	s := runOf(b, Options{Family: kernel.ARD{Of: kernel.Gaussian{}}})
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
