package doublysgd_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/testutil"
)

// fiveOf20 is a function of five columns out of 20.
func fiveOf20(x []float64) float64 {
	return 2*math.Sin(math.Pi*x[0]*x[1]) + 4*(x[2]-.5)*(x[2]-.5) + x[3] + x[4]/2
}

// uniform returns n rows of 20 columns and fiveOf20 with noise.
func uniform(n int, noise float64, s *rng.Stream) (x, y *mat.Dense) {
	x, y = mat.NewDense(n, 20, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = s.Float64()
		}
		y.Set(i, 0, fiveOf20(row)+noise*s.NormFloat64())
	}
	return x, y
}

// BenchmarkNewton trains on 10⁵ and 10⁶ rows, as a stream and as a fit with kernel search. It
// reports the root mean squared error to the function without its noise of .1, and the peak
// memory of the process including the rows.
func BenchmarkNewton(b *testing.B) {
	ctx := context.Background()
	test, truth := uniform(10000, 0, rng.New(2, "rows", 0))
	for _, n := range []int{100000, 1000000} {
		b.Run(fmt.Sprintf("learner/n=%d", n), func(b *testing.B) {
			benchmark(b, test, truth, func() (*doublysgd.Model, error) {
				l, err := doublysgd.NewLearner(nil)
				if err != nil {
					return nil, err
				}
				const part = 10000
				s := rng.New(1, "rows", 0)
				for range n / part {
					if err := l.Update(uniform(part, .1, s)); err != nil {
						return nil, err
					}
				}
				return l.Model(ctx)
			})
		})
		b.Run(fmt.Sprintf("fit/n=%d", n), func(b *testing.B) {
			x, y := uniform(n, .1, rng.New(1, "rows", 0))
			benchmark(b, test, truth, func() (*doublysgd.Model, error) {
				return doublysgd.Fit(ctx, x, y, &doublysgd.Options{Paper: doublysgd.Paper{Mode: doublysgd.Newton}})
			})
		})
	}
}

func benchmark(b *testing.B, test, truth *mat.Dense, learn func() (*doublysgd.Model, error)) {
	var m *doublysgd.Model
	for b.Loop() {
		var err error
		if m, err = learn(); err != nil {
			b.Fatal(err)
		}
	}
	if peak := testutil.PeakMemory(); peak > 0 {
		b.ReportMetric(peak, "peak-MB")
	}
	f, err := m.Predict(test)
	if err != nil {
		b.Fatal(err)
	}
	f.Sub(f, truth)
	n, _ := f.Dims()
	b.ReportMetric(mat.Norm(f, 2)/math.Sqrt(float64(n)), "rmse")
}
