package learn_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/beam/learn"
	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/slkl"
)

// wave writes four files of rows t, sin(t).
func wave(dir string) (pattern string, err error) {
	for k := range 4 {
		var text strings.Builder
		for i := range 100 {
			t := 10 * float64(100*k+i) / 400
			fmt.Fprintf(&text, "%v,%v\n", t, math.Sin(t))
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("wave-%d.csv", k)), []byte(text.String()), 0o600); err != nil {
			return "", err
		}
	}
	return filepath.Join(dir, "wave-*.csv"), nil
}

// A pipeline in this process fits a model to files and writes its predictions.
func ExampleSLKL() {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil))) // the runner logs to it
	dir, err := os.MkdirTemp("", "wave")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	pattern, err := wave(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, s := beam.NewPipelineWithRoot()
	batches, _, err := rows.Read(s, pattern, rows.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	statistics, err := learn.Describe(s, batches, learn.StatisticsOptions{Sample: 200})
	if err != nil {
		fmt.Println(err)
		return
	}
	method, err := learn.SLKL(&slkl.Options{MaxPoints: 40})
	if err != nil {
		fmt.Println(err)
		return
	}
	path := filepath.Join(dir, "wave.rkhs")
	learn.Save(s, method.Fit(s, batches, statistics), path)
	if _, err := prism.Execute(context.Background(), p); err != nil {
		fmt.Println(err)
		return
	}
	m, err := rkhs.Load[*slkl.Model](path)
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := m.Predict(mat.NewDense(2, 1, []float64{math.Pi / 2, 3 * math.Pi / 2}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("f = %.2f, %.2f\n", f.At(0, 0), f.At(1, 0))
	// Output:
	// f = 1.00, -1.00
}
