package kernel_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/gram"
	. "github.com/rkhs-go/rkhs/kernel"
)

func uniform(n, d int) blas64.General {
	r := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	m := blas64.General{Rows: n, Cols: d, Stride: d, Data: make([]float64, n*d)}
	for i := range m.Data {
		m.Data[i] = r.Float64()
	}
	return m
}

// perValue reports the time of one kernel value on one worker.
func perValue(b *testing.B, values int, f func(e gram.Evaluator), k Kernel) {
	b.Helper()
	b.ReportAllocs()
	for b.Loop() {
		f(gram.Evaluator{Kernel: k, Workers: 1})
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(values), "ns/value")
}

// sizes shows the growth in n, in m and in d.
var sizes = [][3]int{{1000, 1000, 10}, {2000, 1000, 10}, {1000, 2000, 10}, {1000, 1000, 50}, {1000, 1000, 784}}

var benchmarked = []struct {
	name string
	of   func(d int) Kernel
}{
	{"Gaussian", fixed(Gaussian{1})},
	{"Laplacian", fixed(Laplacian{1})},
	{"SumOfFive", fixed(Sum{Gaussian{0.3}, Gaussian{0.6}, Gaussian{1}, Gaussian{2}, Gaussian{4}})},
	{"ARD", func(d int) Kernel { return ARD{scales(d), Gaussian{1}} }},
}

func BenchmarkGram(b *testing.B) {
	for _, k := range benchmarked {
		for _, s := range [][2]int{{1000, 10}, {2000, 10}, {1000, 50}, {1000, 784}} {
			b.Run(fmt.Sprintf("%s/n=%d/d=%d", k.name, s[0], s[1]), func(b *testing.B) {
				x, dst := uniform(s[0], s[1]), uniform(s[0], s[0])
				perValue(b, s[0]*s[0], func(e gram.Evaluator) { e.Gram(dst, x) }, k.of(s[1]))
			})
		}
	}
}

func BenchmarkCross(b *testing.B) {
	for _, k := range benchmarked {
		for _, s := range sizes {
			b.Run(fmt.Sprintf("%s/n=%d/m=%d/d=%d", k.name, s[0], s[1], s[2]), func(b *testing.B) {
				x, z, dst := uniform(s[0], s[2]), uniform(s[1], s[2]), uniform(s[0], s[1])
				perValue(b, s[0]*s[1], func(e gram.Evaluator) { e.Cross(dst, x, z) }, k.of(s[2]))
			})
		}
	}
}

func BenchmarkMul(b *testing.B) {
	for _, k := range benchmarked {
		for _, s := range sizes {
			b.Run(fmt.Sprintf("%s/n=%d/m=%d/d=%d", k.name, s[0], s[1], s[2]), func(b *testing.B) {
				x, z, w, dst := uniform(s[0], s[2]), uniform(s[1], s[2]), uniform(s[1], 10), uniform(s[0], 10)
				perValue(b, s[0]*s[1], func(e gram.Evaluator) { e.Mul(dst, x, z, w) }, k.of(s[2]))
			})
		}
	}
}

// BenchmarkKernels compares all kernels at one size.
func BenchmarkKernels(b *testing.B) {
	for name, example := range examples {
		for _, d := range []int{10, 100} {
			b.Run(fmt.Sprintf("%s/d=%d", name, d), func(b *testing.B) {
				x, z, dst := uniform(300, d), uniform(500, d), uniform(300, 500)
				perValue(b, 300*500, func(e gram.Evaluator) { e.Cross(dst, x, z) }, example.of(d))
			})
		}
	}
}
