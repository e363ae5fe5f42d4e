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
	"github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/slkl"
)

func init() { register.Function1x0(printRange) }

// printRange prints what a first pass says of the first column.
func printRange(s learn.Statistics) {
	var t learn.Column = s.Inputs[0]
	fmt.Printf("%d rows, t from %g to %.3f, labels %v, %d rows in the sample\n", s.Rows, t.Min, t.Max, s.Labels, s.Sample.Rows)
}

// signs are four batches of rows t with the sign of sin(t).
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

// A first pass over rows tells of their columns and labels.
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

// Kernel ridge regression of the signs as numbers, and classifiers of them as labels, from one
// first pass.
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
