package features_test

import (
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

func normals(rows, cols int, stream uint32) compute.Matrix {
	m := compute.NewMatrix(rows, cols)
	compute.Normals(m.Data, compute.Address{Seed: 20, Stream: stream}, 0)
	return m
}

// rmse returns the root of the mean squared error of the average of blocks.
func rmse(t *testing.T, m features.Map, x, z compute.Matrix, blocks int) float64 {
	t.Helper()
	want, got := compute.NewMatrix(x.Rows, z.Rows), compute.NewMatrix(x.Rows, z.Rows)
	kernel.Evaluator{Kernel: m.Kernel()}.Cross(want, x, z)
	fx, fz := compute.NewMatrix(x.Rows, m.Columns()), compute.NewMatrix(z.Rows, m.Columns())
	for b := range blocks {
		block := m.Block(uint64(b))
		block.TransformTo(fx, x)
		block.TransformTo(fz, z)
		compute.MulNT(got, fx, fz, 0)
	}
	s := 0.0
	for i, v := range want.Data {
		e := got.Data[i]/float64(blocks) - v
		s += e * e
	}
	return math.Sqrt(s / float64(len(want.Data)))
}

func TestGaussianSamplers(t *testing.T) {
	for _, d := range []int{2, 16, 50} {
		x, z := normals(60, d, 1), normals(60, d, 2)
		k := kernel.Gaussian{Sigma: math.Sqrt(float64(d))}
		for _, s := range []features.Sampler{features.Independent, features.Orthogonal} {
			m, err := features.New(k, d, features.Options{Sampler: s, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			e := rmse(t, m, x, z, 1)
			t.Logf("d = %d, %v: %.4f", d, s, e)
			if e > 0.03 {
				t.Errorf("d = %d, %v: rmse %.4f", d, s, e)
			}
		}
	}
}
