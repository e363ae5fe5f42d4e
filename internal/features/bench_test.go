package features_test

import (
	"fmt"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/kernel"
)

var dims = []int{10, 54, 100, 784}

// BenchmarkBlock draws blocks of 2048 columns.
func BenchmarkBlock(b *testing.B) {
	for _, d := range dims {
		for _, s := range allSamplers {
			m, err := features.New(kernel.Gaussian{Sigma: 1}, d, features.Options{Sampler: s})
			if err != nil {
				continue
			}
			b.Run(fmt.Sprintf("%v/d=%d", s, d), func(b *testing.B) {
				for i := uint64(0); b.Loop(); i++ {
					m.Block(i)
				}
			})
		}
	}
}

// BenchmarkTransform maps 1000 rows to 2048 columns.
func BenchmarkTransform(b *testing.B) {
	for _, d := range dims {
		for _, s := range []features.Sampler{features.Independent, features.Fastfood} {
			benchmarkTransform(b, fmt.Sprintf("%v/d=%d", s, d), kernel.Gaussian{Sigma: 10}, d, s)
		}
	}
	for _, c := range table {
		benchmarkTransform(b, fmt.Sprintf("%.30v/d=54", c.k), c.k, 54, features.Auto)
	}
}

func benchmarkTransform(b *testing.B, name string, k kernel.Kernel, d int, s features.Sampler) {
	m := mapOf(b, k, d, features.Options{Sampler: s})
	block := m.Block(0)
	x, z := uniforms(1000, d, 1), compute.NewMatrix(1000, m.Columns())
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			block.TransformTo(z, x)
		}
	})
}

// BenchmarkNystroem computes a map of 1000 landmarks of full or low numerical rank.
func BenchmarkNystroem(b *testing.B) {
	x := denseOf(uniforms(1000, 54, 1))
	for name, k := range map[string]kernel.Kernel{"full": kernel.Gaussian{Sigma: 3}, "low rank": kernel.Polynomial{Degree: 1, Offset: 1}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := features.Nystroem(k, x, features.NystroemOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
