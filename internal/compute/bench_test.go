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

var benchGaussian = Func{Family: Gaussian, A: 0.01}

func BenchmarkKernel(b *testing.B) {
	for _, d := range []int{3, 10, 50, 784} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("d=%d/workers=%d", d, workers), func(b *testing.B) {
				x, z, k := normal(4000, d), normal(4000, d), NewMatrix(4000, 4000)
				Kernel(k, x, z, benchGaussian, workers)
				b.ReportAllocs()
				for b.Loop() {
					Kernel(k, x, z, benchGaussian, workers)
				}
			})
		}
	}
}

func BenchmarkKernelSym(b *testing.B) {
	for _, d := range []int{10, 784} {
		b.Run(fmt.Sprintf("d=%d", d), func(b *testing.B) {
			x, k := normal(4000, d), NewMatrix(4000, 4000)
			KernelSym(k, x, benchGaussian, 1)
			for b.Loop() {
				KernelSym(k, x, benchGaussian, 1)
			}
		})
	}
}

func BenchmarkKernelMul(b *testing.B) {
	for _, d := range []int{10, 50, 784} {
		for _, q := range []int{1, 10} {
			b.Run(fmt.Sprintf("d=%d/q=%d", d, q), func(b *testing.B) {
				x, z, w, y := normal(4000, d), normal(4000, d), normal(4000, q), NewMatrix(4000, q)
				for b.Loop() {
					KernelMul(y, x, z, w, benchGaussian, 1)
				}
			})
		}
	}
}

func BenchmarkExp(b *testing.B) {
	x := normal(1, 10000)
	y := NewMatrix(1, 10000)
	for b.Loop() {
		Exp(y.Data, x.Data)
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/1e4, "ns/value")
}
