package alignment_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/testutil"
)

// BenchmarkSearch learns one bandwidth on all rows of MNIST without an n×n matrix. It reports the
// peak memory of the process.
func BenchmarkSearch(b *testing.B) {
	s := load(b, "train-images-idx3-ubyte.gz")
	for _, n := range []int{500, 2000, 10000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			d := draw(s, against(mnistTasks()[0][0], mnistTasks()[0][1]), 1, n, 1, 1)
			var r *alignment.Result
			for b.Loop() {
				var err error
				if r, err = alignment.Search(context.Background(), d.x, d.y, &alignment.Options{Paper: alignment.Paper{SearchRows: n}}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(r.Kernel)), "kernels")
			b.ReportMetric(r.Alignment, "alignment")
			b.ReportMetric(testutil.PeakMemory(), "peak-MB")
		})
	}
}

// BenchmarkFit runs search, selection of C and the final fit on the file that bench/alignment.sh
// prepares for this package and its reference: n training rows, n validation rows, and test rows.
func BenchmarkFit(b *testing.B) {
	path := os.Getenv("RKHS_BENCH_ALIGNMENT")
	if path == "" {
		b.Skip("bench/alignment.sh runs this")
	}
	s, err := dataset.Load(path, dataset.Options{})
	if err != nil {
		b.Fatal(err)
	}
	n, err := strconv.Atoi(os.Getenv("RKHS_BENCH_ROWS"))
	if err != nil {
		b.Fatal(err)
	}
	d := parts(s, n)
	var c *alignment.Classifier
	for b.Loop() {
		o := d.options()
		if c, err = alignment.FitClassifier(context.Background(), d.x, d.y, &o); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(errorsOf(b, c, d.testX, d.testY), "error-%")
	b.ReportMetric(testutil.PeakMemory(), "peak-MB")
}
