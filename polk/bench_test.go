package polk

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/synthetic"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// singles returns a learner that has processed some thousands of single rows of multidist, and
// a function that updates it with the next row.
func singles(tb testing.TB, with loss.Loss, k float64) (l *ClassLearner, next func()) {
	tb.Helper()
	s, _ := synthetic.Multidist(5000, 1)
	l, err := NewClassLearner(nil, &Options{Loss: with, Kernel: kernel.Gaussian{Sigma: 0.6}, Workers: 1, Paper: Paper{Rate: 0.2, BudgetConstant: k, Schedule: Constant}})
	if err != nil {
		tb.Fatal(err)
	}
	x, y := mat.NewDense(1, 2, nil), mat.NewDense(1, 1, nil)
	i := 0
	next = func() {
		x.SetRow(0, s.X.RawRowView(i))
		y.Set(0, 0, s.Y[i])
		if err := l.Update(x, y); err != nil {
			tb.Fatal(err)
		}
		i = (i + 1) % len(s.Y)
	}
	for range 2 * len(s.Y) {
		next()
	}
	return l, next
}

// BenchmarkSingles updates with one row in the plane at a time, with about 15 dictionary
// points: with a loss of mostly zero gradient, and with a loss of nonzero gradient.
func BenchmarkSingles(b *testing.B) {
	for _, c := range []struct {
		loss loss.Loss
		k    float64
	}{{loss.MulticlassHinge{}, 2.8}, {loss.Softmax{}, 2}} {
		b.Run(c.loss.String(), func(b *testing.B) {
			l, next := singles(b, c.loss, c.k)
			before := l.Report().Totals
			b.ReportAllocs()
			for b.Loop() {
				next()
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "samples/s")
			b.ReportMetric(float64(l.stream.descent.f.order()), "order")
			b.ReportMetric(100*float64(l.Report().Totals.Active-before.Active)/float64(b.N), "active-%")
		})
	}
}
