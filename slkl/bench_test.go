package slkl

import (
	"context"
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// BenchmarkLasso solves abalone with nu = .01 from C in memory to a relative
// gap of 1e-9; CᵀC is part of it. bench/lasso.sh runs the same in Python.
func BenchmarkLasso(b *testing.B) {
	for _, landmarks := range []int{512, 1024} {
		b.Run(fmt.Sprint(landmarks), func(b *testing.B) {
			c := checkCase{set: "abalone", landmarks: landmarks, variance: 2.5}
			d := c.load(b)
			s, err := d.opts.settings()
			if err != nil {
				b.Fatal(err)
			}
			drawn, err := drawnPoints(s, compute.DensePoints(d.train.X.RawMatrix()))
			if err != nil {
				b.Fatal(err)
			}
			cols, err := newColumns(s, s.Kernels, drawn.points)
			if err != nil {
				b.Fatal(err)
			}
			cols.normalise()
			all := compute.NewMatrix(len(d.train.Y), landmarks)
			cols.fill(all, compute.DensePoints(d.train.X.RawMatrix()), cols.all())
			columns, targets := compute.NewMatrix(all.Rows, all.Cols), compute.NewMatrix(all.Rows, 1)
			for b.Loop() {
				b.StopTimer()
				copy(columns.Data, all.Data)
				copy(targets.Data, d.train.Y)
				b.StartTimer()
				m := newMoments(landmarks, 1)
				m.add(columns, targets, nil, 0)
				p := s.problems(m.sums(false), 0)[0]
				r := p.Solve(s.Penalty, s.Tolerance, progress.New(context.Background(), nil, "slkl"))
				if !r.Meets(1e-9) {
					b.Fatalf("gap %v of %v", r.Gap, r.Objective)
				}
			}
		})
	}
}

func randomRows(n, d int) *mat.Dense {
	s := rng.New(1, "bench", 0)
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, s.NormFloat64())
		}
	}
	return x
}

// smooth returns targets that a kernel machine can learn.
func smooth(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		y.Set(i, 0, x.At(i, 0)*x.At(i, 1)+x.At(i, 1))
	}
	return y
}

var benchSizes = []struct{ n, m, d int }{
	{4000, 250, 10}, {8000, 250, 10}, {4000, 500, 10}, {4000, 1000, 10}, {4000, 500, 100}, {4000, 500, 784},
}

// BenchmarkUpdate times one pass over the rows.
func BenchmarkUpdate(b *testing.B) {
	for _, s := range benchSizes {
		b.Run(fmt.Sprintf("n=%d/M=%d/d=%d", s.n, s.m, s.d), func(b *testing.B) {
			x := randomRows(s.n, s.d)
			y := smooth(x)
			a, err := NewLearner(&Options{Points: x.Slice(0, s.m, 0, s.d), Penalty: 1})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := a.Update(x, y); err != nil {
					b.Fatal(err)
				}
			}
			flops := 2 * float64(s.n) * float64(s.m) * (float64(s.d) + float64(s.m)/2)
			b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOPS")
		})
	}
}

// BenchmarkSolve times the solver, which does not depend on n.
func BenchmarkSolve(b *testing.B) {
	for _, m := range []int{250, 500, 1000} {
		for _, nu := range []float64{1, .01} {
			b.Run(fmt.Sprintf("M=%d/nu=%g", m, nu), func(b *testing.B) {
				x := randomRows(4000, 10)
				a, err := NewLearner(&Options{Points: x.Slice(0, m, 0, 10), Penalty: nu})
				if err != nil {
					b.Fatal(err)
				}
				if err := a.Update(x, smooth(x)); err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					if _, err := a.Model(context.Background()); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkPredict times f(x) on rows.
func BenchmarkPredict(b *testing.B) {
	for _, s := range benchSizes {
		b.Run(fmt.Sprintf("n=%d/M=%d/d=%d", s.n, s.m, s.d), func(b *testing.B) {
			x := randomRows(s.n, s.d)
			m, err := Fit(context.Background(), x, smooth(x), &Options{MaxPoints: s.m, Penalty: 1e-2, Kernels: []kernel.Kernel{kernel.Gaussian{Sigma: 4}}})
			if err != nil {
				b.Fatal(err)
			}
			var dst mat.Dense
			for b.Loop() {
				if err := m.PredictTo(&dst, x); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(s.n)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
			b.ReportMetric(float64(m.ModelOrder()), "order")
		})
	}
}
