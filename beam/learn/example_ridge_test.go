package learn_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/beam/learn"
	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/slkl"
)

func init() {
	register.Function1x0(printRange)
	register.Function1x0(printMetric)
}

// printMetric prints the kind of the kernel in a file.
func printMetric(file []byte) {
	k, err := kernel.Unmarshal(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%T\n", k)
}

// printRange prints statistics of the first column.
func printRange(s learn.Statistics) {
	var t learn.Column = s.Inputs[0]
	fmt.Printf("%d rows, t from %g to %.3f, labels %v, %d rows in the sample\n", s.Rows, t.Min, t.Max, s.Labels, s.Sample.Rows)
}

// signs returns four batches of rows t with the sign of sin(t).
func signs(s beam.Scope) beam.PCollection {
	var list []rows.Batch
	for k := range 4 {
		b := rows.Batch{Rows: 100, Cols: 1, Outputs: 1, Source: "signs", First: int64(100*k + 1)}
		for i := range b.Rows {
			t := 10 * float64(100*k+i) / 400
			b.Values = append(b.Values, t)
			b.Targets = append(b.Targets, math.Copysign(1, math.Sin(t)))
		}
		list = append(list, b)
	}
	return beam.CreateList(s, list)
}

// A first pass computes statistics of columns and labels.
func ExampleDescribe() {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	p, s := beam.NewPipelineWithRoot()
	statistics, err := learn.Describe(s, signs(s), learn.StatisticsOptions{Sample: 50})
	if err != nil {
		fmt.Println(err)
		return
	}
	beam.ParDo0(s, printRange, statistics)
	if _, err := prism.Execute(context.Background(), p); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 400 rows, t from 0 to 9.975, labels [-1 1], 50 rows in the sample
}

// Kernel ridge regression of the signs as numbers, and classifiers of the signs as labels,
// from one first pass.
func ExampleRidge() {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	dir, err := os.MkdirTemp("", "signs")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	p, s := beam.NewPipelineWithRoot()
	batches := signs(s)
	statistics, err := learn.Describe(s, batches, learn.StatisticsOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	numbers, err := learn.Ridge(learn.RidgeOptions{MaxPoints: 50})
	if err != nil {
		fmt.Println(err)
		return
	}
	labels, err := learn.RidgeClassifier(learn.RidgeOptions{MaxPoints: 50})
	if err != nil {
		fmt.Println(err)
		return
	}
	sparse, err := learn.SLKLClassifier(&slkl.Options{MaxPoints: 50})
	if err != nil {
		fmt.Println(err)
		return
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	learn.Save(s, numbers.Fit(s, batches, statistics), at("numbers"))
	learn.Save(s, labels.Fit(s, batches, statistics), at("labels"))
	learn.Save(s, sparse.Fit(s, batches, statistics), at("sparse"))
	if _, err := prism.Execute(context.Background(), p); err != nil {
		fmt.Println(err)
		return
	}
	x := mat.NewDense(2, 1, []float64{1.5, 4.7})
	for _, load := range []func() (rkhs.Model, error){
		func() (rkhs.Model, error) { return rkhs.Load[*ridge.Model](at("numbers")) },
		func() (rkhs.Model, error) { return rkhs.Load[*ridge.Classifier](at("labels")) },
		func() (rkhs.Model, error) { return rkhs.Load[*slkl.Classifier](at("sparse")) },
	} {
		m, err := load()
		if err != nil {
			fmt.Println(err)
			return
		}
		f, err := m.Predict(x)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.0f %.0f\n", f.At(0, 0), f.At(1, 0))
	}
	// Output:
	// 1 -1
	// 1 -1
	// 1 -1
}

// The second of two pipelines reads the plan of the first. Two learners train on shards.
func ExampleMethod() {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	dir, err := os.MkdirTemp("", "signs")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	k := kernel.Gaussian{Sigma: 0.5}
	var methods []*learn.Method
	add := func(m *learn.Method, err error) {
		if err != nil {
			fmt.Println(err)
			return
		}
		methods = append(methods, m)
	}
	add(learn.Polk(learn.PolkOptions{Shards: 2, Options: polk.Options{Kernel: k, Ridge: 1e-4}}))
	add(learn.PolkClassifier(learn.PolkOptions{Shards: 2, Options: polk.Options{Kernel: k, Ridge: 1e-4}}))
	add(learn.DoublySGD(learn.DoublySGDOptions{Shards: 2, Options: doublysgd.Options{Kernel: k, Ridge: 1e-4}}))
	add(learn.DoublySGDClassifier(learn.DoublySGDOptions{Shards: 2, Options: doublysgd.Options{Kernel: k, Ridge: 1e-4}}))
	at := func(name string, i int) string { return filepath.Join(dir, fmt.Sprint(name, i)) }
	first, s := beam.NewPipelineWithRoot()
	statistics, err := learn.Describe(s, signs(s), learn.StatisticsOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, m := range methods {
		learn.Save(s, m.Plan(s, statistics), at("plan", i))
	}
	second, s := beam.NewPipelineWithRoot()
	batches := signs(s)
	for i, m := range methods {
		learn.Save(s, m.FitPlanned(s, batches, at("plan", i)), at("model", i))
	}
	for _, p := range []*beam.Pipeline{first, second} {
		if _, err := prism.Execute(context.Background(), p); err != nil {
			fmt.Println(err)
			return
		}
	}
	for i := range methods {
		m, err := rkhs.Load[rkhs.Model](at("model", i))
		if err != nil {
			fmt.Println(err)
			return
		}
		f, err := m.Predict(mat.NewDense(2, 1, []float64{1.5, 4.7}))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%T: %.0f %.0f\n", m, f.At(0, 0), f.At(1, 0))
	}
	// Output:
	// *polk.Model: 1 -1
	// *polk.Classifier: 1 -1
	// *doublysgd.Model: 1 -1
	// *doublysgd.Classifier: 1 -1
}

// A metric for targets that depend on the sum of two columns.
func ExampleMetric() {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	b := rows.Batch{Rows: 400, Cols: 3, Outputs: 1, Source: "sums", First: 1}
	for i := range b.Rows {
		t := float64(i)
		x := []float64{math.Sin(t * t), math.Cos(7 * t * t), math.Sin(5 * t * t)}
		b.Values = append(b.Values, x...)
		b.Targets = append(b.Targets, math.Sin(3*(x[0]+x[1])))
	}
	p, s := beam.NewPipelineWithRoot()
	batches := beam.Create(s, b)
	statistics, err := learn.Describe(s, batches, learn.StatisticsOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	file, err := learn.Metric(s, batches, statistics, learn.MetricOptions{MaxPoints: 100, Iterations: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	beam.ParDo0(s, printMetric, file)
	if _, err := prism.Execute(context.Background(), p); err != nil {
		fmt.Println(err)
	}
	// Output:
	// kernel.Projected
}
