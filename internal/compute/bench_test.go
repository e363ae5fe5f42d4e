package compute

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func normal(rows, cols int) Matrix {
	rnd := rand.New(rand.NewPCG(1, 2))
	m := NewMatrix(rows, cols)
	for i := range m.Data {
		m.Data[i] = rnd.NormFloat64()
	}
	return m
}

func gflops(b *testing.B, flops float64) {
	b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOPS")
}

func BenchmarkMulNT(b *testing.B) {
	for _, s := range [][3]int{{1500, 1500, 1500}, {4096, 4096, 10}, {4096, 4096, 50}, {4096, 4096, 256}, {4096, 4096, 784}} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("n=%d/k=%d/workers=%d", s[0], s[2], workers), func(b *testing.B) {
				x, y, c := normal(s[0], s[2]), normal(s[1], s[2]), NewMatrix(s[0], s[1])
				MulNT(c, x, y, workers)
				b.ReportAllocs()
				for b.Loop() {
					MulNT(c, x, y, workers)
				}
				gflops(b, 2*float64(s[0])*float64(s[1])*float64(s[2]))
			})
		}
	}
}
