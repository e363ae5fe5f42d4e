package learn

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/ridge"
)

// plane returns rows of eight columns on different scales, with targets that depend on two
// combinations of them.
func plane(n int, source string) rows.Batch {
	r := rand.New(rand.NewPCG(uint64(n), 3))
	b := rows.Batch{Rows: n, Cols: 8, Outputs: 1, Source: source, First: 1}
	for range n {
		var x [8]float64
		for j := range x {
			x[j] = r.NormFloat64()
			b.Values = append(b.Values, x[j]*math.Pow(10, float64(j%3)))
		}
		u, v := (x[0]+x[1]+x[2]+x[3])/2, (x[0]-x[1]+x[4]-x[5])/2
		b.Targets = append(b.Targets, math.Sin(2*u)+u*v+0.1*r.NormFloat64())
	}
	return b
}

// metricOf runs a pipeline that learns a metric.
func metricOf(t *testing.T, batches []rows.Batch) kernel.Kernel {
	t.Helper()
	p, s := beam.NewPipelineWithRoot()
	col := serve(t, s, batches)
	statistics, err := Describe(s, col, StatisticsOptions{Sample: 1200})
	if err != nil {
		t.Fatal(err)
	}
	files, err := Metric(s, col, statistics, MetricOptions{MaxPoints: 300, Iterations: 3})
	if err != nil {
		t.Fatal(err)
	}
	file, err := caughtFrom(t, p, s, files)
	if err != nil {
		t.Fatal(err)
	}
	k, err := kernel.Unmarshal(file)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// offBy returns the error of ridge with a kernel on held-out rows.
func offBy(t *testing.T, o *ridge.Options) float64 {
	t.Helper()
	train, test := plane(800, ""), plane(900, "")
	m, err := ridge.Fit(context.Background(), train.Inputs(), train.Y(), o)
	if err != nil {
		t.Fatal(err)
	}
	f, err := m.Predict(test.Inputs())
	if err != nil {
		t.Fatal(err)
	}
	f.Sub(f, test.Y())
	return mat.Norm(f, 2) / math.Sqrt(float64(test.Rows))
}

// TestMetric learns the plane. With the metric, 400 rows must predict better than many more
// rows without it, and directions outside of the plane must have a small share.
func TestMetric(t *testing.T) {
	batches := []rows.Batch{plane(1500, "a"), plane(1, "b"), {}, plane(700, "c")}
	k := metricOf(t, batches)
	with, without := offBy(t, &ridge.Options{Kernel: k}), offBy(t, &ridge.Options{Metric: kernel.NoMetric})
	t.Logf("%.3f with the metric, %.3f without", with, without)
	if !(with < 0.5*without) {
		t.Errorf("%.3f with the metric, %.3f without", with, without)
	}
	l := k.(kernel.Projected).L
	var m mat.Dense
	m.Mul(l.T(), l)
	inside, trace := 0.0, 0.0
	for i := range 8 {
		for j := range 8 {
			m.Set(i, j, m.At(i, j)*math.Pow(10, float64(i%3+j%3)))
		}
		trace += m.At(i, i)
	}
	for _, z := range []*mat.VecDense{mat.NewVecDense(8, []float64{.5, .5, .5, .5, 0, 0, 0, 0}), mat.NewVecDense(8, []float64{.5, -.5, 0, 0, .5, -.5, 0, 0})} {
		inside += mat.Inner(z, &m, z)
	}
	if share := inside / trace; !(share > 0.9) {
		t.Errorf("the plane has %.2f of the metric", share)
	}
}

// TestMetricOfRowsGivenTwice learns the metric from a file given twice, so that each row has a
// copy in the sample.
func TestMetricOfRowsGivenTwice(t *testing.T) {
	a := plane(700, "a")
	off := offBy(t, &ridge.Options{Kernel: metricOf(t, []rows.Batch{a, a})})
	t.Logf("%.3f with the metric of rows given twice", off)
	if !(off < 0.15) {
		t.Errorf("%.3f with the metric of rows given twice", off)
	}
}

func TestMetricOptions(t *testing.T) {
	_, s := beam.NewPipelineWithRoot()
	var none beam.PCollection
	if _, err := Metric(s, none, none, MetricOptions{Iterations: -1}); !errors.Is(err, rkhs.ErrOption) {
		t.Error(err)
	}
}
