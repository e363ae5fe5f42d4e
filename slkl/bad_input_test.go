package slkl_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

// checkError reports an error that does not wrap want or omits an expected word.
func checkError(t *testing.T, err, want error, names ...string) {
	t.Helper()
	if !errors.Is(err, want) || !strings.HasPrefix(err.Error(), "slkl: ") {
		t.Errorf("error %v, want one of package slkl that wraps %q", err, want)
		return
	}
	for _, s := range names {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("error %q does not name %q", err, s)
		}
	}
}

// TestOptionsOutOfRange sets every field out of its range, one at a time.
func TestOptionsOutOfRange(t *testing.T) {
	x, y := sample(30, 3, 1, 1)
	nan, inf := math.NaN(), math.Inf(1)
	g := kernel.Gaussian{Sigma: 1}
	for _, c := range []struct {
		opts  slkl.Options
		names []string
	}{
		{slkl.Options{Kernels: []kernel.Kernel{g, nil}}, []string{"Kernels[1]"}},
		{slkl.Options{Kernels: []kernel.Kernel{g, kernel.Gaussian{Sigma: -2}}}, []string{"Gaussian.Sigma", "-2"}},
		{slkl.Options{Kernels: []kernel.Kernel{kernel.Matern{Nu: nan, Length: 1}}}, []string{"Matern.Nu", "NaN"}},
		{slkl.Options{MaxPoints: -1}, []string{"MaxPoints", "-1"}},
		{slkl.Options{Paper: slkl.Paper{PointRows: []int{3, 30}}}, []string{"PointRows[1]", "30"}},
		{slkl.Options{Paper: slkl.Paper{PointRows: []int{-1}}}, []string{"PointRows[0]", "-1"}},
		{slkl.Options{Paper: slkl.Paper{PointRows: []int{}}}, []string{"PointRows"}},
		{slkl.Options{Points: x, Paper: slkl.Paper{PointRows: []int{1}}}, []string{"PointRows", "Points"}},
		{slkl.Options{Penalty: -0.5}, []string{"Penalty", "-0.5"}},
		{slkl.Options{Penalty: nan}, []string{"Penalty", "NaN"}},
		{slkl.Options{Penalty: inf}, []string{"Penalty", "+Inf"}},
		{slkl.Options{Paper: slkl.Paper{Ridge: -1}}, []string{"Ridge", "-1"}},
		{slkl.Options{Paper: slkl.Paper{Ridge: nan}}, []string{"Ridge", "NaN"}},
		{slkl.Options{Paper: slkl.Paper{Ridge: inf}}, []string{"Ridge", "+Inf"}},
		{slkl.Options{Paper: slkl.Paper{Folds: 1}}, []string{"Folds", "1"}},
		{slkl.Options{Paper: slkl.Paper{Folds: -3}}, []string{"Folds", "-3"}},
		{slkl.Options{Paper: slkl.Paper{PenaltyGrid: []float64{0.5, 0}}}, []string{"PenaltyGrid[1]", "0"}},
		{slkl.Options{Paper: slkl.Paper{PenaltyGrid: []float64{1.5}}}, []string{"PenaltyGrid[0]", "1.5"}},
		{slkl.Options{Paper: slkl.Paper{PenaltyGrid: []float64{0.5, 0.5}}}, []string{"PenaltyGrid[1]", "0.5"}},
		{slkl.Options{Paper: slkl.Paper{PenaltyGrid: []float64{nan}}}, []string{"PenaltyGrid[0]", "NaN"}},
		{slkl.Options{Paper: slkl.Paper{Order: 2}}, []string{"Order", "2"}},
		{slkl.Options{Paper: slkl.Paper{Rule: 7}}, []string{"Rule", "7"}},
		{slkl.Options{Paper: slkl.Paper{Epsilon: -1e-3}}, []string{"Epsilon", "-0.001"}},
		{slkl.Options{Paper: slkl.Paper{Epsilon: 1}}, []string{"Epsilon", "1"}},
		{slkl.Options{Paper: slkl.Paper{Epsilon: nan}}, []string{"Epsilon", "NaN"}},
		{slkl.Options{Tolerance: -1}, []string{"Tolerance", "-1"}},
		{slkl.Options{Metric: 5}, []string{"Metric", "5"}},
		{slkl.Options{Kernels: []kernel.Kernel{kernel.Gaussian{Sigma: 1}}, Metric: kernel.NoMetric}, []string{"Kernels does not use Metric"}},
		{slkl.Options{Tolerance: 1}, []string{"Tolerance", "1"}},
		{slkl.Options{Tolerance: nan}, []string{"Tolerance", "NaN"}},
		{slkl.Options{Paper: slkl.Paper{Iterations: -5}}, []string{"Iterations", "-5"}},
		{slkl.Options{Paper: slkl.Paper{LowMemory: true}}, []string{"LowMemory", "Penalty"}},
		{slkl.Options{Penalty: 1, Paper: slkl.Paper{LowMemory: true, SinglePrecision: true}}, []string{"LowMemory", "SinglePrecision"}},
		{slkl.Options{Points: x, MaxPoints: 5}, []string{"Points does not use MaxPoints"}},
		{slkl.Options{MaxPoints: 5, Paper: slkl.Paper{PointRows: []int{1}}}, []string{"PointRows does not use MaxPoints"}},
		{slkl.Options{Penalty: 1, Paper: slkl.Paper{Folds: 3}}, []string{"Penalty does not use Folds"}},
		{slkl.Options{Penalty: 1, Paper: slkl.Paper{PenaltyGrid: []float64{0.1}}}, []string{"Penalty does not use PenaltyGrid"}},
		{slkl.Options{Tolerance: 1e-3, Paper: slkl.Paper{Epsilon: 0.1}}, []string{"Epsilon does not use Tolerance"}},
		{slkl.Options{MemoryLimit: -1}, []string{"MemoryLimit", "-1"}},
		{slkl.Options{Workers: -2}, []string{"Workers", "-2"}},
	} {
		t.Run(strings.Join(c.names, " "), func(t *testing.T) {
			m, err := slkl.Fit(context.Background(), x, y, &c.opts)
			checkError(t, err, rkhs.ErrOption, c.names...)
			if m != nil {
				t.Error("a model in spite of the error")
			}
		})
	}
}

func TestBadPoints(t *testing.T) {
	x, y := sample(30, 3, 1, 1)
	p := mat.DenseCopyOf(x)
	p.Set(11, 2, math.NaN())
	fails := func(points mat.Matrix, want error, names ...string) {
		t.Helper()
		_, err := slkl.Fit(context.Background(), x, y, &slkl.Options{Points: points})
		checkError(t, err, want, names...)
	}
	fails(p, rkhs.ErrNotFinite, "Points", "row 11", "column 2")
	fails(mat.NewDense(4, 2, nil), rkhs.ErrShape, "Points", "2", "3")
	fails(&mat.Dense{}, rkhs.ErrEmpty, "Points")
	fails((*mat.Dense)(nil), rkhs.ErrEmpty, "Points")
	for _, points := range []mat.Matrix{p, &mat.Dense{}, (*mat.Dense)(nil)} {
		if a, err := slkl.NewLearner(&slkl.Options{Points: points}); a != nil || err == nil {
			t.Errorf("a learner from %v", err)
		}
	}
}

func TestBadLearners(t *testing.T) {
	x, _ := sample(30, 3, 1, 1)
	for _, c := range []struct {
		opts  *slkl.Options
		names []string
	}{
		{nil, []string{"Points"}},
		{&slkl.Options{Paper: slkl.Paper{PointRows: []int{1}}}, []string{"Points"}},
		{&slkl.Options{Points: x, Penalty: 1, Paper: slkl.Paper{LowMemory: true}}, []string{"LowMemory"}},
		{&slkl.Options{Points: x, Paper: slkl.Paper{Folds: 1}}, []string{"Folds", "1"}},
		{&slkl.Options{Points: x, Kernels: []kernel.Kernel{kernel.Gaussian{}}}, []string{"Sigma"}},
	} {
		a, err := slkl.NewLearner(c.opts)
		checkError(t, err, rkhs.ErrOption, c.names...)
		if a != nil {
			t.Error("a learner in spite of the error")
		}
	}
}

// TestOutsideTheDomain has a negative entry where the kernel wants a histogram,
// in a late block of rows.
func TestOutsideTheDomain(t *testing.T) {
	const n = 9000
	x, y := mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil)
	x.Apply(func(i, j int, _ float64) float64 { return float64((i+j)%10) / 10 }, x)
	y.Apply(func(i, _ int, _ float64) float64 { return float64(i % 7) }, y)
	o := slkl.Options{Kernels: []kernel.Kernel{kernel.Hellinger{}}, MaxPoints: 5, Penalty: 1}
	m := fit(t, x, y, o)
	bad := mat.DenseCopyOf(x)
	bad.Set(8765, 1, -0.25)
	position := []string{"row 8765", "column 1", "-0.25"}
	for _, low := range []bool{false, true} {
		o.LowMemory = low
		got, err := slkl.Fit(context.Background(), bad, y, &o)
		checkError(t, err, rkhs.ErrDomain, position...)
		if got != nil {
			t.Error("a model in spite of the error")
		}
	}
	p, err := m.Predict(bad)
	checkError(t, err, rkhs.ErrDomain, position...)
	var sized mat.Dense
	checkError(t, m.PredictTo(&sized, bad), rkhs.ErrDomain, position...)
	if p != nil || !sized.IsEmpty() {
		t.Error("a prediction in spite of the error")
	}
	a := learner(t, slkl.Options{Kernels: o.Kernels, Points: x.Slice(0, 5, 0, 2), Penalty: 1})
	add(t, a, x, y)
	before := marshal(t, a)
	checkError(t, a.Update(bad, y), rkhs.ErrDomain, position...)
	if !unchanged(t, a, before) || a.Rows() != n {
		t.Error("a batch with an error changed the learner")
	}
}

// TestMemoryLimit checks the reported amounts, and that the check allocates little.
func TestMemoryLimit(t *testing.T) {
	x, y := sample(2000, 3, 1, 1)
	o := slkl.Options{MaxPoints: 2000, MemoryLimit: 100 << 20}
	n := testutil.Allocated(func() {
		m, err := slkl.Fit(context.Background(), x, y, &o)
		checkError(t, err, rkhs.ErrMemory, "2000 columns", "100 MiB")
		if m != nil {
			t.Error("a model in spite of the error")
		}
	})
	if n > 10<<20 {
		t.Errorf("%d MiB were allocated", n>>20)
	}
	a := learner(t, slkl.Options{Points: x, MemoryLimit: 100 << 20})
	before := marshal(t, a)
	checkError(t, a.Update(x, y), rkhs.ErrMemory, "2000 columns", "100 MiB")
	if !unchanged(t, a, before) {
		t.Error("a batch with an error changed the learner")
	}
	o.MemoryLimit = 1000
	_, err := slkl.Fit(context.Background(), x, y, &o)
	checkError(t, err, rkhs.ErrMemory, "0.000954 MiB")
	o.MaxPoints, o.Penalty, o.MemoryLimit = 100, 1, 100<<20
	if _, err := slkl.Fit(context.Background(), x, y, &o); err != nil {
		t.Errorf("100 columns: %v", err)
	}
}

// TestMemoryLimitOfLowMemory bounds the working set.
func TestMemoryLimitOfLowMemory(t *testing.T) {
	x, y := sample(2000, 3, 1, 1)
	o := slkl.Options{MaxPoints: 1000, Penalty: 1e-4, MemoryLimit: 1 << 19, Kernels: base().Kernels, Paper: slkl.Paper{LowMemory: true}}
	m, err := slkl.Fit(context.Background(), x, y, &o)
	checkError(t, err, rkhs.ErrMemory, "columns", "MiB")
	if m != nil && !finite(predict(t, m, x)) {
		t.Error("the model that comes with the error does not predict")
	}
}

// TestClassifierLabels covers invalid labels, which the battery cannot draw.
func TestClassifierLabels(t *testing.T) {
	x, y := sample(30, 3, 1, 1)
	y.Apply(func(i, _ int, _ float64) float64 { return 5 }, y)
	c, err := slkl.FitClassifier(context.Background(), x, y, nil)
	checkError(t, err, rkhs.ErrLabels, "5")
	if c != nil {
		t.Error("a classifier of one class")
	}
	y.Set(12, 0, 5.5)
	_, err = slkl.FitClassifier(context.Background(), x, y, nil)
	checkError(t, err, rkhs.ErrLabels, "5.5", "row 12")
	y.Set(12, 0, 6)
	_, err = slkl.FitClassifier(context.Background(), x, y, &slkl.Options{Paper: slkl.Paper{Folds: 1}})
	checkError(t, err, rkhs.ErrOption, "Folds", "1")
	for _, labels := range [][]int{nil, {}, {1}, {1, 1}, {2, 3, 2}} {
		_, err := slkl.NewClassLearner(labels, &slkl.Options{Points: x})
		checkError(t, err, rkhs.ErrLabels, fmt.Sprint(labels))
	}
}

// TestClassLearner adds labels in batches, some of which are invalid,
// and solves to the classifier of all rows.
func TestClassLearner(t *testing.T) {
	x, y := sample(300, 3, 1, 1)
	classes := []int{-7, 0, 12}
	y.Apply(func(_, _ int, v float64) float64 { return float64(classes[min(2, int(math.Abs(v)))]) }, y)
	for _, labels := range [][]int{{12, -7, 0}, {0, 12}} {
		if len(labels) == 2 {
			y.Apply(func(_, _ int, v float64) float64 { return max(v, 0) }, y)
		}
		a, err := slkl.NewClassLearner(labels, ptr(base()))
		if err != nil {
			t.Fatal(err)
		}
		b, _ := slkl.NewClassLearner(labels, ptr(base()))
		for from := 0; from < 300; from += 50 {
			to := a
			if from >= 150 {
				to = b
			}
			batch, target := rowsOf(x, span(from, from+50)), rowsOf(y, span(from, from+50))
			if err := to.Update(batch, target); err != nil {
				t.Fatal(err)
			}
			before := marshal(t, slkl.Inner(to))
			target.Set(41, 0, 3)
			checkError(t, to.Update(batch, target), rkhs.ErrLabels, "3", "row 41")
			target.Set(41, 0, 0.5)
			checkError(t, to.Update(batch, target), rkhs.ErrLabels, "0.5", "row 41")
			target.Set(41, 0, math.NaN())
			checkError(t, to.Update(batch, target), rkhs.ErrNotFinite, "row 41")
			checkError(t, to.Update(batch, mat.NewDense(50, 2, nil)), rkhs.ErrShape)
			checkError(t, to.Update(batch, mat.NewDense(49, 1, nil)), rkhs.ErrShape)
			if !unchanged(t, slkl.Inner(to), before) {
				t.Fatal("a batch with an error changed the learner")
			}
		}
		if err := a.Merge(b); err != nil || a.Rows() != 300 {
			t.Fatalf("%d rows, error %v", a.Rows(), err)
		}
		got, err := a.Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		want, err := slkl.FitClassifier(context.Background(), x, y, ptr(base()))
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got.Labels()) != fmt.Sprint(want.Labels()) || far(predict(t, got.Model(), x), predict(t, want.Model(), x)) > 1e-6 {
			t.Error("batches give another classifier than all rows at once")
		}
		other, _ := slkl.NewClassLearner([]int{0, 13}, ptr(base()))
		checkError(t, a.Merge(other), rkhs.ErrLabels, "13")
	}
}

func ptr[T any](v T) *T { return &v }
