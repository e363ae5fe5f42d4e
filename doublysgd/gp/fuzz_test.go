package gp_test

import (
	"context"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd/gp"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

func FuzzModel(f *testing.F) {
	x, y := wave(20, 1)
	m, err := gp.Fit(context.Background(), x, y, &gp.Options{Kernel: kernel.Gaussian{Sigma: 1}, Centres: 3})
	if err != nil {
		f.Fatal(err)
	}
	at := mat.NewDense(2, 2, []float64{0, 1, 2, 3})
	testutil.Fuzz(f, "gp model", func() testutil.File { return new(gp.Model) }, func(v testutil.File) {
		m := v.(*gp.Model)
		m.Predict(at)
		if m.ModelOrder() < 100 && m.Report().Iterations < 100 {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			m.Variance(ctx, at)
		}
	}, m)
}
