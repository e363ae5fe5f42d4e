package alignment

import "testing"

// BenchmarkHistograms times the pass over all pairs of rows with few columns, where histograms cost
// more than distances.
func BenchmarkHistograms(b *testing.B) {
	x, y := problem(3000, 5, 1)
	d := newData(x, y, 1, never)
	g := newScale(d.x, squaredDistance)
	n := newNodes(g.quantile*g.quantile*1e-4, g.quantile*g.quantile, g.bound)
	for b.Loop() {
		newHistograms(n, squaredDistance, d)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(3000*2999/2), "ns/pair")
}
