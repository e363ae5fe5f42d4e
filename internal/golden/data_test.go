package golden

import (
	"math"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/testutil"
)

// task has training rows x with targets or labels y, and rows to predict.
type task struct{ x, y, test *mat.Dense }

// round returns v rounded to a multiple of 2⁻¹⁰, so all architectures use the same numbers.
func round(v float64) float64 { return math.RoundToEven(v*1024) / 1024 }

// normal returns n×d standard normal numbers plus shift.
func normal(n, d int, shift float64, purpose string) *mat.Dense {
	r := rng.New(1, purpose, 0)
	x := mat.NewDense(n, d, nil)
	x.Apply(func(_, _ int, _ float64) float64 { return round(r.NormFloat64() + shift) }, x)
	return x
}

// histograms returns n×d nonnegative numbers. About a fifth are zero.
func histograms(n, d int) *mat.Dense {
	r := rng.New(1, "histograms", 0)
	x := mat.NewDense(n, d, nil)
	x.Apply(func(_, _ int, _ float64) float64 { return max(0, round(r.Float64()*1.25-.25)) }, x)
	return x
}

// surface is a smooth function with a ridge along its first input.
func surface(row []float64) float64 {
	f := 2 / (1 + 4*row[0]*row[0])
	for j := 1; j < len(row); j++ {
		f += row[j] * (1 - row[j-1]/2) / float64(j)
	}
	return f
}

// regression returns n rows of d columns with q noisy targets.
func regression(n, d, q int) task {
	x, noise := normal(n, d, 0, "rows"), normal(n, q, 0, "noise")
	y := mat.NewDense(n, q, nil)
	y.Apply(func(i, o int, _ float64) float64 {
		f := surface(x.RawRowView(i))
		return round(f/(1+float64(o)) + float64(o)*x.At(i, 0) + noise.At(i, o)/8)
	}, y)
	return task{x, y, normal(60, d, 0, "test")}
}

// classes returns n rows of d columns with labels 3, 5, …, for up to four classes. One label in
// sixteen is wrong.
func classes(n, d, count int) task {
	t := regression(n, d, 1)
	r := rng.New(1, "labels", 0)
	t.y.Apply(func(_, _ int, f float64) float64 {
		class := int(math.Max(0, math.Floor(f))) % count
		if r.IntN(16) == 0 {
			class = r.IntN(count)
		}
		return float64(3 + 2*class)
	}, t.y)
	return t
}

// batches calls take with batches of the rows. The batch sizes cycle through sizes.
func batches(k task, add func(x, y mat.Matrix) error, sizes ...int) {
	n, d := k.x.Dims()
	_, q := k.y.Dims()
	for from, i := 0, 0; from < n; i++ {
		to := min(n, from+sizes[i%len(sizes)])
		check(add(k.x.Slice(from, to, 0, d), k.y.Slice(from, to, 0, q)))
		from = to
	}
}

// abalone returns n standardised training rows of abalone and 200 rows to predict.
func abalone(t *testing.T, n int) task { return load(t, "abalone.csv.gz", dataset.Options{}, n) }

// a9a returns n training rows of a9a and 200 rows to predict.
func a9a(t *testing.T, n int) task { return load(t, "a9a.train.svm.gz", dataset.Options{Cols: 123}, n) }

func load(t *testing.T, name string, opts dataset.Options, n int) task {
	t.Helper()
	dir, ok := testutil.DataDir()
	if !ok {
		t.Skip("RKHS_DATA does not name the folder of the data sets")
	}
	s := must(dataset.Load(filepath.Join(dir, name), opts))
	_, d := s.X.Dims()
	x, test := mat.DenseCopyOf(s.X.Slice(0, n, 0, d)), mat.DenseCopyOf(s.X.Slice(n, n+200, 0, d))
	if opts.Cols == 0 {
		must(dataset.Standardize(x, test))
	}
	return task{x, mat.NewDense(n, 1, s.Y[:n]), test}
}
