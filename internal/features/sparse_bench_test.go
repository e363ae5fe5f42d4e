package features_test

import (
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// BenchmarkA9A compares sparse with dense rows of a9a, with 14 of 123 columns listed per row: a Gaussian
// kernel block against 1000 landmarks, and 2048 Fourier features.
func BenchmarkA9A(b *testing.B) {
	dir, ok := testutil.DataDir()
	if !ok {
		b.Skip("RKHS_DATA does not name the folder of the data sets")
	}
	set, err := dataset.LoadSparse(filepath.Join(dir, "a9a.train.svm.gz"), dataset.Options{Cols: 123})
	if err != nil {
		b.Fatal(err)
	}
	k := kernel.Gaussian{Sigma: 4}
	m, err := features.New(k, 123, features.Options{Columns: 2048})
	if err != nil {
		b.Fatal(err)
	}
	block := m.Block(0)
	for _, form := range []struct {
		name string
		rows mat.Matrix
	}{{"sparse", set.X}, {"dense", mat.DenseCopyOf(set.X)}} {
		x, err := input.Points("test", "x", form.rows)
		if err != nil {
			b.Fatal(err)
		}
		x = x.Between(0, 10000)
		values, phi := compute.NewMatrix(x.Rows, 1000), compute.NewMatrix(x.Rows, m.Columns())
		b.Run("kernel/"+form.name, func(b *testing.B) {
			for b.Loop() {
				gram.Evaluator{Kernel: k}.CrossOf(values, x, x.Between(0, 1000))
			}
		})
		b.Run("Fourier/"+form.name, func(b *testing.B) {
			for b.Loop() {
				features.TransformPoints(block, phi, x)
			}
		})
	}
}
