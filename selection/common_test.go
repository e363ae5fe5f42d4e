package selection_test

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/selection"
)

// waves draws rows of three columns, a smooth function of two columns, and labels by its sign.
func waves(n int) (x, y, labels *mat.Dense) {
	r := rand.New(rand.NewPCG(3, 4))
	x, y, labels = mat.NewDense(n, 3, nil), mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = 2*r.Float64() - 1
		}
		y.Set(i, 0, math.Sin(4*row[0])+row[1]+0.1*r.NormFloat64())
		labels.Set(i, 0, math.Copysign(1, y.At(i, 0)))
	}
	return x, y, labels
}

func setSigma(o *ridge.Options, v float64) { o.Kernel = kernel.Gaussian{Sigma: v} }
func setRidge(o *ridge.Options, v float64) { o.Ridge = v }

// grid lists ridge regressions of bandwidths and ridges.
func grid(t testing.TB, sigmas, ridges []float64) []selection.Candidate {
	t.Helper()
	return gridOf(t, ridge.Options{Workers: 1}, sigmas, ridges)
}

func gridOf(t testing.TB, o ridge.Options, sigmas, ridges []float64) []selection.Candidate {
	t.Helper()
	list, err := selection.Grid("ridge", ridge.Fit, o,
		selection.Values("Sigma", setSigma, sigmas...), selection.Values("Ridge", setRidge, ridges...))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// The values of the grid of sixty candidates.
var (
	sigmas = []float64{.5, .7, 1, 1.4, 2, 2.8, 4, 5.6, 8, 11}
	lams   = []float64{1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6}
)

// sixty lists ten bandwidths times six ridges, with the given number of points, or all rows for 0.
func sixty(t testing.TB, points int) []selection.Candidate {
	return gridOf(t, ridge.Options{Workers: 1, MaxPoints: points}, sigmas, lams)
}

// table returns the given number of rows of a data set, all rows for 0, in random order and with
// columns of unit deviation.
func table(t testing.TB, name string, rows int) *dataset.Set {
	t.Helper()
	dir, ok := testutil.DataDir()
	if !ok {
		t.Skip("RKHS_DATA names no folder of data sets")
	}
	set, err := dataset.Load(filepath.Join(dir, name+".csv.gz"), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	set.Shuffle(1)
	if rows > 0 {
		list := make([]int, rows)
		for i := range list {
			list[i] = i
		}
		set = set.Select(list)
	}
	if _, err := dataset.Standardize(set.X); err != nil {
		t.Fatal(err)
	}
	return set
}

// search fails the test on an error.
func search(t testing.TB, x, y mat.Matrix, list []selection.Candidate, o selection.Options) *selection.Result {
	t.Helper()
	r, err := selection.Search(context.Background(), x, y, list, &o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// level is a model and a classifier that predicts one value everywhere.
type level float64

func (l level) Dims() (inputs, outputs int) { return 1, 1 }
func (l level) Labels() []int               { return []int{0, 1} }
func (l level) Scores(x mat.Matrix) (*mat.Dense, error) {
	return l.Predict(x)
}

func (l level) Predict(x mat.Matrix) (*mat.Dense, error) {
	n, _ := x.Dims()
	m := mat.NewDense(n, 1, nil)
	m.Apply(func(int, int, float64) float64 { return float64(l) }, m)
	return m, nil
}

func (l level) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	m, err := l.Predict(x)
	dst.CloneFrom(m)
	return err
}

// stub is a candidate with a name and a fit.
func stub(name string, fit func(ctx context.Context, x, y mat.Matrix) (rkhs.Model, error)) selection.Candidate {
	return selection.Candidate{Name: name, Fit: fit}
}

// levels are candidates that each predict one value.
func levels(values ...float64) (list []selection.Candidate) {
	for _, v := range values {
		list = append(list, stub("level", func(context.Context, mat.Matrix, mat.Matrix) (rkhs.Model, error) { return level(v), nil }))
	}
	return list
}

// column returns 0 … n−1 as a matrix.
func column(n int) *mat.Dense {
	m := mat.NewDense(n, 1, nil)
	m.Apply(func(i, _ int, _ float64) float64 { return float64(i) }, m)
	return m
}

// equalTrials compares all fields except the time, bit by bit.
func equalTrials(a, b []selection.Trial) bool {
	return slices.EqualFunc(a, b, func(a, b selection.Trial) bool {
		message := func(err error) string {
			if err == nil {
				return ""
			}
			return err.Error()
		}
		return a.Candidate.String() == b.Candidate.String() && a.Number == b.Number && a.Rung == b.Rung && a.Rows == b.Rows &&
			sameBits(append([]float64{a.Mean, a.StandardError}, a.Scores...), append([]float64{b.Mean, b.StandardError}, b.Scores...)) &&
			a.NotConverged == b.NotConverged && message(a.Err) == message(b.Err)
	})
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })
}
