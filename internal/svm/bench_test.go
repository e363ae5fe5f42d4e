package svm

import (
	"context"
	"math"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// BenchmarkA9A trains on the sparse and on the dense rows of a9a with gamma = 1/123, without the time of
// reading. bench/svm.sh runs svm-train on the same rows.
func BenchmarkA9A(b *testing.B) {
	dir, ok := testutil.DataDir()
	if !ok {
		b.Skip("RKHS_DATA is not set")
	}
	set, err := dataset.LoadSparse(filepath.Join(dir, "a9a.train.svm.gz"), dataset.Options{Cols: 123})
	if err != nil {
		b.Fatal(err)
	}
	sparse := input.Raw(set.X)
	forms := []struct {
		name string
		x    compute.Points
	}{{"sparse", sparse}, {"dense", compute.DensePoints(sparse.Dense())}}
	k := kernel.Gaussian{Sigma: math.Sqrt(123. / 2)}
	for _, form := range forms {
		for _, c := range []float64{0.1, 1, 100} {
			b.Run(form.name+"/"+strconv.FormatFloat(c, 'g', -1, 64), func(b *testing.B) {
				for b.Loop() {
					if _, err := Fit(context.Background(), k, form.x, set.Y, Options{C: c}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
