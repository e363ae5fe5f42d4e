package rkhs_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/doublysgd/gp"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/slkl"
)

// rowModel is a model that predicts single rows.
type rowModel interface {
	PredictRow(dst, x []float64) error
	PredictTo(dst *mat.Dense, x mat.Matrix) error
}

// BenchmarkPredictRow compares single-row predictions for ten columns with PredictTo and with a
// plain loop over the same number of terms: exponentials of squared distances, or cosines and
// sines of inner products.
func BenchmarkPredictRow(b *testing.B) {
	const n, d = 400, 10
	r := rand.New(rand.NewPCG(1, 1))
	x, y := mat.NewDense(n, d, nil), mat.NewDense(n, 1, nil)
	x.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, x)
	y.Apply(func(i, _ int, _ float64) float64 { return math.Sin(x.At(i, 0)) + 0.1*r.NormFloat64() }, y)
	ctx, k := context.Background(), kernel.Gaussian{Sigma: 3}
	row := x.RawRowView(0)
	measure := func(name string, m rowModel, err error, plain func() float64) {
		if err != nil {
			b.Fatal(err)
		}
		dst, all := make([]float64, 1), mat.NewDense(1, 1, nil)
		one := mat.NewDense(1, d, row)
		b.Run(name+"/row", func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				if err := m.PredictRow(dst, row); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/matrix", func(b *testing.B) {
			for range b.N {
				if err := m.PredictTo(all, one); err != nil {
					b.Fatal(err)
				}
			}
		})
		sink := 0.0
		b.Run(name+"/plain", func(b *testing.B) {
			for range b.N {
				sink += plain()
			}
		})
		_ = sink
	}
	sum := func(f kernel.Expansion) func() float64 {
		points, weights := mat.DenseCopyOf(f.Points), f.Weights
		m, _ := points.Dims()
		return func() (s float64) {
			for j := range m {
				z, square := points.RawRowView(j), 0.0
				for i, v := range row {
					square += (v - z[i]) * (v - z[i])
				}
				s += weights.At(j, 0) * math.Exp(-square/18)
			}
			return s
		}
	}
	rm, err := ridge.Fit(ctx, x, y, &ridge.Options{Kernel: k, Ridge: 1e-3})
	measure("ridge", rm, err, sum(rm.Expansion()))
	sm, err := slkl.Fit(ctx, x, y, &slkl.Options{Kernels: []kernel.Kernel{k}, Penalty: 1e-9})
	measure("slkl", sm, err, sum(sm.Expansions()[0]))
	pm, err := polk.Fit(ctx, x, y, &polk.Options{Kernel: k, Paper: polk.Paper{Lossless: true}})
	measure("polk", pm, err, sum(pm.Expansion()))
	am, err := alignment.Fit(ctx, x, y, nil)
	measure("alignment", am, err, sum(am.Expansion()))
	gm, err := gp.Fit(ctx, x, y, &gp.Options{Kernel: k})
	measure("gp", gm, err, sum(gm.Expansion()))
	dm, err := doublysgd.Fit(ctx, x, y, &doublysgd.Options{Kernel: k, Ridge: 1e-3, Features: 2048, Paper: doublysgd.Paper{Passes: 2}})
	if err == nil {
		err = dm.Warm(ctx)
	}
	w := make([]float64, 1024*d)
	for i := range w {
		w[i] = r.NormFloat64() / 3
	}
	measure("doublysgd", dm, err, func() (s float64) {
		for j := range 1024 {
			dot := 0.0
			for i, v := range row {
				dot += v * w[j*d+i]
			}
			s += 0.3*math.Cos(dot) + 0.2*math.Sin(dot)
		}
		return s
	})
}
