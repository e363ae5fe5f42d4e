package svm

import (
	"context"
	"math"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// BenchmarkA9A trains on a9a with gamma = 1/123, reading not counted.
// bench/svm.sh runs svm-train on the same.
func BenchmarkA9A(b *testing.B) {
	dir, ok := testutil.DataDir()
	if !ok {
		b.Skip("RKHS_DATA is not set")
	}
	set, err := dataset.Load(filepath.Join(dir, "a9a.train.svm.gz"), dataset.Options{Cols: 123})
	if err != nil {
		b.Fatal(err)
	}
	k := kernel.Gaussian{Sigma: math.Sqrt(123. / 2)}
	for _, c := range []float64{0.1, 1, 100} {
		b.Run(strconv.FormatFloat(c, 'g', -1, 64), func(b *testing.B) {
			for b.Loop() {
				_, err := Fit(context.Background(), k, set.X.RawMatrix(), set.Y, Options{C: c})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
