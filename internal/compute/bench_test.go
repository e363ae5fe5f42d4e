package compute

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// The benchmark names match bench/compute.py, which times the same operations in numpy and
// scikit-learn. bench/compute.sh compares the results.

var benchGaussian = Func{Family: Gaussian, A: 0.01}

// timed runs f once to warm up and then in a benchmark loop. It reports allocations and the
// minimum time, which other processes disturb less than the mean.
func timed(b *testing.B, f func()) {
	f()
	b.ReportAllocs()
	least := time.Duration(math.MaxInt64)
	for b.Loop() {
		start := clock()
		f()
		least = min(least, clock()-start)
	}
	b.ReportMetric(float64(least), "least-ns")
}

// threads runs a benchmark with one and with two workers.
func threads(b *testing.B, name string, f func(b *testing.B, workers int)) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("%s/threads=%d", name, workers), func(b *testing.B) { f(b, workers) })
	}
}

// benchSizes are sizes of square matrices, from a search to a small fit.
var benchSizes = []int{200, 400, 800, 1600, 3000}

func BenchmarkGEMM(b *testing.B) {
	shapes := [][2]int{{4096, 10}, {4096, 50}, {4096, 256}, {4096, 784}}
	for _, n := range benchSizes {
		shapes = append(shapes, [2]int{n, n})
	}
	for _, s := range shapes {
		n, k := s[0], s[1]
		threads(b, fmt.Sprintf("n=%d/k=%d", n, k), func(b *testing.B, workers int) {
			x, y, c := normals(n, k, 1), normals(n, k, 2), NewMatrix(n, n)
			timed(b, func() { MulNT(c, x, y, workers) })
			b.ReportMetric(2*float64(n)*float64(n)*float64(k)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOPS")
		})
	}
}

func BenchmarkGaussian(b *testing.B) {
	for _, d := range []int{10, 50, 784} {
		threads(b, fmt.Sprintf("d=%d", d), func(b *testing.B, workers int) {
			x, z, k := normals(4000, d, 1), normals(4000, d, 2), NewMatrix(4000, 4000)
			timed(b, func() { Kernel(k, x, z, benchGaussian, workers) })
		})
	}
}

func BenchmarkGaussian32(b *testing.B) {
	for _, d := range []int{10, 50, 784} {
		threads(b, fmt.Sprintf("d=%d", d), func(b *testing.B, workers int) {
			x, z, k := single(normals(4000, d, 1)), single(normals(4000, d, 2)), NewMatrix32(4000, 4000)
			timed(b, func() { Kernel32(k, x, z, benchGaussian, workers) })
		})
	}
}

func BenchmarkGaussianSym(b *testing.B) {
	for _, d := range []int{10, 50, 784} {
		threads(b, fmt.Sprintf("d=%d", d), func(b *testing.B, workers int) {
			x, k := normals(4000, d, 1), NewMatrix(4000, 4000)
			timed(b, func() { KernelSym(k, x, benchGaussian, workers) })
		})
	}
}

func BenchmarkGaussianMul(b *testing.B) {
	for _, d := range []int{10, 50, 784} {
		threads(b, fmt.Sprintf("d=%d", d), func(b *testing.B, workers int) {
			x, z, w, y := normals(4000, d, 1), normals(4000, d, 2), normals(4000, 1, 3), NewMatrix(4000, 1)
			timed(b, func() { KernelMul(y, x, z, w, benchGaussian, workers) })
		})
	}
}

func BenchmarkFourierPairs(b *testing.B) {
	for _, d := range []int{54, 784} {
		threads(b, fmt.Sprintf("d=%d", d), func(b *testing.B, workers int) {
			x, w, f := normals(4000, d, 1), normals(2048, d, 2), NewMatrix(4000, 4096)
			timed(b, func() { FourierPairs(f, x, w, 0.1, workers) })
		})
	}
}

const elements = 1 << 16

func BenchmarkExp(b *testing.B) {
	x, y := normals(1, elements, 1).Data, make([]float64, elements)
	timed(b, func() { Exp(y, x) })
}

func BenchmarkCos(b *testing.B) {
	x, y := normals(1, elements, 1).Data, make([]float64, elements)
	timed(b, func() { Cos(y, x) })
}

func BenchmarkNormals(b *testing.B) {
	y := make([]float64, elements)
	timed(b, func() { Normals(y, Address{}, 0) })
}

// BenchmarkNormalsRand measures the generator of the standard library for comparison.
func BenchmarkNormalsRand(b *testing.B) {
	y := make([]float64, elements)
	rnd := rand.New(rand.NewPCG(1, 2))
	timed(b, func() {
		for i := range y {
			y[i] = rnd.NormFloat64()
		}
	})
}

func BenchmarkCholesky(b *testing.B) {
	for _, n := range benchSizes {
		threads(b, fmt.Sprintf("n=%d", n), func(b *testing.B, workers int) {
			a, u := NewMatrix(n, n), NewMatrix(n, n)
			AddGram(a, normals(n+10, n, 1), workers)
			timed(b, func() {
				copy(u.Data, a.Data)
				Cholesky(u, workers)
			})
		})
	}
}

func BenchmarkInvertUpper(b *testing.B) {
	for _, n := range benchSizes {
		threads(b, fmt.Sprintf("n=%d", n), func(b *testing.B, workers int) {
			u, v := normals(n, n, 1), NewMatrix(n, n)
			for i := range n {
				u.Data[i*n+i] = float64(n)
			}
			timed(b, func() {
				copy(v.Data, u.Data)
				InvertUpper(v, nil, workers)
			})
		})
	}
}

func BenchmarkSolveUpper(b *testing.B) {
	for _, n := range benchSizes {
		threads(b, fmt.Sprintf("n=%d", n), func(b *testing.B, workers int) {
			u, x := normals(n, n, 1), NewMatrix(n, n)
			for i := range n {
				u.Data[i*n+i] = float64(n)
			}
			timed(b, func() { SolveUpper(u, x, true, workers) })
		})
	}
}

func BenchmarkAddGram(b *testing.B) {
	threads(b, "n=5000/m=1000", func(b *testing.B, workers int) {
		x, c := normals(5000, 1000, 1), NewMatrix(1000, 1000)
		timed(b, func() { AddGram(c, x, workers) })
		b.ReportMetric(5*float64(b.N)/b.Elapsed().Seconds(), "GFLOPS")
	})
}
