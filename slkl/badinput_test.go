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

// says reports an error that does not wrap want or does not name everything.
func says(t *testing.T, err, want error, names ...string) {
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
		{slkl.Options{Landmarks: -1}, []string{"Landmarks", "-1"}},
		{slkl.Options{Rows: []int{3, 30}}, []string{"Rows[1]", "30"}},
		{slkl.Options{Rows: []int{-1}}, []string{"Rows[0]", "-1"}},
		{slkl.Options{Rows: []int{}}, []string{"Rows"}},
		{slkl.Options{Rows: []int{1}, Points: x}, []string{"Rows", "Points"}},
		{slkl.Options{Nu: -0.5}, []string{"Nu", "-0.5"}},
		{slkl.Options{Nu: nan}, []string{"Nu", "NaN"}},
		{slkl.Options{Nu: inf}, []string{"Nu", "+Inf"}},
		{slkl.Options{Lambda: -1}, []string{"Lambda", "-1"}},
		{slkl.Options{Lambda: nan}, []string{"Lambda", "NaN"}},
		{slkl.Options{Lambda: inf}, []string{"Lambda", "+Inf"}},
		{slkl.Options{Folds: 1}, []string{"Folds", "1"}},
		{slkl.Options{Folds: -3}, []string{"Folds", "-3"}},
		{slkl.Options{NuGrid: []float64{0.5, 0}}, []string{"NuGrid[1]", "0"}},
		{slkl.Options{NuGrid: []float64{1.5}}, []string{"NuGrid[0]", "1.5"}},
		{slkl.Options{NuGrid: []float64{0.5, 0.5}}, []string{"NuGrid[1]", "0.5"}},
		{slkl.Options{NuGrid: []float64{nan}}, []string{"NuGrid[0]", "NaN"}},
		{slkl.Options{Order: 2}, []string{"Order", "2"}},
		{slkl.Options{Step: 7}, []string{"Step", "7"}},
		{slkl.Options{Epsilon: -1e-3}, []string{"Epsilon", "-0.001"}},
		{slkl.Options{Epsilon: 1}, []string{"Epsilon", "1"}},
		{slkl.Options{Epsilon: nan}, []string{"Epsilon", "NaN"}},
		{slkl.Options{Tolerance: -1}, []string{"Tolerance", "-1"}},
		{slkl.Options{Tolerance: 1}, []string{"Tolerance", "1"}},
		{slkl.Options{Tolerance: nan}, []string{"Tolerance", "NaN"}},
		{slkl.Options{MaxSteps: -5}, []string{"MaxSteps", "-5"}},
		{slkl.Options{LowMemory: true}, []string{"LowMemory", "Nu"}},
		{slkl.Options{LowMemory: true, Nu: 1, Single: true}, []string{"LowMemory", "Single"}},
		{slkl.Options{MemoryLimit: -1}, []string{"MemoryLimit", "-1"}},
		{slkl.Options{Workers: -2}, []string{"Workers", "-2"}},
	} {
		t.Run(strings.Join(c.names, " "), func(t *testing.T) {
			m, err := slkl.Fit(context.Background(), x, y, &c.opts)
			says(t, err, rkhs.ErrOption, c.names...)
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
		says(t, err, want, names...)
	}
	fails(p, rkhs.ErrNotFinite, "Points", "row 11", "column 2")
	fails(mat.NewDense(4, 2, nil), rkhs.ErrShape, "Points", "2", "3")
	fails(&mat.Dense{}, rkhs.ErrEmpty, "Points")
	fails((*mat.Dense)(nil), rkhs.ErrEmpty, "Points")
	for _, points := range []mat.Matrix{p, &mat.Dense{}, (*mat.Dense)(nil)} {
		if a, err := slkl.NewAccumulator(1, &slkl.Options{Points: points}); a != nil || err == nil {
			t.Errorf("an accumulator from %v", err)
		}
	}
}

func TestBadAccumulators(t *testing.T) {
	x, _ := sample(30, 3, 1, 1)
	for _, c := range []struct {
		outputs int
		opts    *slkl.Options
		names   []string
	}{
		{0, &slkl.Options{Points: x}, []string{"outputs", "0"}},
		{-1, &slkl.Options{Points: x}, []string{"outputs", "-1"}},
		{1, nil, []string{"Points"}},
		{1, &slkl.Options{Rows: []int{1}}, []string{"Points"}},
		{1, &slkl.Options{Points: x, Nu: 1, LowMemory: true}, []string{"LowMemory"}},
		{1, &slkl.Options{Points: x, Folds: 1}, []string{"Folds", "1"}},
		{1, &slkl.Options{Points: x, Kernels: []kernel.Kernel{kernel.Gaussian{}}}, []string{"Sigma"}},
	} {
		a, err := slkl.NewAccumulator(c.outputs, c.opts)
		says(t, err, rkhs.ErrOption, c.names...)
		if a != nil {
			t.Error("an accumulator in spite of the error")
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
	o := slkl.Options{Kernels: []kernel.Kernel{kernel.Hellinger{}}, Landmarks: 5, Nu: 1}
	m := fit(t, x, y, o)
	bad := mat.DenseCopyOf(x)
	bad.Set(8765, 1, -0.25)
	place := []string{"row 8765", "column 1", "-0.25"}
	for _, low := range []bool{false, true} {
		o.LowMemory = low
		got, err := slkl.Fit(context.Background(), bad, y, &o)
		says(t, err, rkhs.ErrDomain, place...)
		if got != nil {
			t.Error("a model in spite of the error")
		}
	}
	p, err := m.Predict(bad)
	says(t, err, rkhs.ErrDomain, place...)
	var sized mat.Dense
	says(t, m.PredictTo(&sized, bad), rkhs.ErrDomain, place...)
	if p != nil || !sized.IsEmpty() {
		t.Error("a prediction in spite of the error")
	}
	a := accumulator(t, 1, slkl.Options{Kernels: o.Kernels, Points: x.Slice(0, 5, 0, 2), Nu: 1})
	add(t, a, x, y)
	before := marshal(t, a)
	says(t, a.Add(bad, y), rkhs.ErrDomain, place...)
	if !unchanged(t, a, before) || a.Rows() != n {
		t.Error("a refused batch left its trace")
	}
}

// TestMemoryLimit asks for the amounts, and that the fit did not allocate it to
// find out.
func TestMemoryLimit(t *testing.T) {
	x, y := sample(2000, 3, 1, 1)
	o := slkl.Options{Landmarks: 2000, MemoryLimit: 100 << 20}
	n := testutil.Allocated(func() {
		m, err := slkl.Fit(context.Background(), x, y, &o)
		says(t, err, rkhs.ErrMemory, "2000 columns", "100 MiB")
		if m != nil {
			t.Error("a model in spite of the error")
		}
	})
	if n > 10<<20 {
		t.Errorf("%d MiB were allocated", n>>20)
	}
	a, err := slkl.NewAccumulator(1, &slkl.Options{Points: x, MemoryLimit: 100 << 20})
	says(t, err, rkhs.ErrMemory, "2000 columns", "100 MiB")
	if a != nil {
		t.Error("an accumulator in spite of the error")
	}
	o.MemoryLimit = 1000
	_, err = slkl.Fit(context.Background(), x, y, &o)
	says(t, err, rkhs.ErrMemory, "0.000954 MiB")
	o.Landmarks, o.Nu, o.MemoryLimit = 100, 1, 100<<20
	if _, err := slkl.Fit(context.Background(), x, y, &o); err != nil {
		t.Errorf("100 columns: %v", err)
	}
}

// TestMemoryLimitOfLowMemory bounds the working set.
func TestMemoryLimitOfLowMemory(t *testing.T) {
	x, y := sample(2000, 3, 1, 1)
	o := slkl.Options{Landmarks: 1000, LowMemory: true, Nu: 1e-4, MemoryLimit: 1 << 19}
	m, err := slkl.Fit(context.Background(), x, y, &o)
	says(t, err, rkhs.ErrMemory, "columns", "MiB")
	if m != nil && !finite(predict(t, m, x)) {
		t.Error("the model that comes with the error does not predict")
	}
}

// TestClassifierLabels covers what the battery cannot say: which labels.
func TestClassifierLabels(t *testing.T) {
	x, y := sample(30, 3, 1, 1)
	y.Apply(func(i, _ int, _ float64) float64 { return 5 }, y)
	c, err := slkl.FitClassifier(context.Background(), x, y, nil)
	says(t, err, rkhs.ErrLabels, "5")
	if c != nil {
		t.Error("a classifier of one class")
	}
	y.Set(12, 0, 5.5)
	_, err = slkl.FitClassifier(context.Background(), x, y, nil)
	says(t, err, rkhs.ErrLabels, "5.5", "row 12")
	y.Set(12, 0, 6)
	_, err = slkl.FitClassifier(context.Background(), x, y, &slkl.Options{Folds: 1})
	says(t, err, rkhs.ErrOption, "Folds", "1")
	for _, labels := range [][]int{nil, {}, {1}, {1, 1}, {2, 3, 2}} {
		_, err := slkl.NewClassAccumulator(labels, &slkl.Options{Points: x})
		says(t, err, rkhs.ErrLabels, fmt.Sprint(labels))
	}
}

// TestClassAccumulator takes in labels in batches, some of which are refused,
// and solves to the classifier of all rows.
func TestClassAccumulator(t *testing.T) {
	x, y := sample(300, 3, 1, 1)
	classes := []int{-7, 0, 12}
	y.Apply(func(_, _ int, v float64) float64 { return float64(classes[min(2, int(math.Abs(v)))]) }, y)
	for _, labels := range [][]int{{12, -7, 0}, {0, 12}} {
		if len(labels) == 2 {
			y.Apply(func(_, _ int, v float64) float64 { return max(v, 0) }, y)
		}
		a, err := slkl.NewClassAccumulator(labels, ptr(base()))
		if err != nil {
			t.Fatal(err)
		}
		b, _ := slkl.NewClassAccumulator(labels, ptr(base()))
		for from := 0; from < 300; from += 50 {
			to := a
			if from >= 150 {
				to = b
			}
			batch, target := rowsOf(x, span(from, from+50)), rowsOf(y, span(from, from+50))
			if err := to.Add(batch, target); err != nil {
				t.Fatal(err)
			}
			before := marshal(t, to.Inner())
			target.Set(41, 0, 3)
			says(t, to.Add(batch, target), rkhs.ErrLabels, "3", "row 41")
			target.Set(41, 0, 0.5)
			says(t, to.Add(batch, target), rkhs.ErrLabels, "0.5", "row 41")
			target.Set(41, 0, math.NaN())
			says(t, to.Add(batch, target), rkhs.ErrNotFinite, "row 41")
			says(t, to.Add(batch, mat.NewDense(50, 2, nil)), rkhs.ErrShape)
			says(t, to.Add(batch, mat.NewDense(49, 1, nil)), rkhs.ErrShape)
			if !unchanged(t, to.Inner(), before) {
				t.Fatal("a refused batch left its trace")
			}
		}
		if err := a.Merge(b); err != nil || a.Rows() != 300 {
			t.Fatalf("%d rows, error %v", a.Rows(), err)
		}
		got, err := a.Solve(context.Background())
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
		other, _ := slkl.NewClassAccumulator([]int{0, 13}, ptr(base()))
		says(t, a.Merge(other), rkhs.ErrLabels, "13")
	}
}

func ptr[T any](v T) *T { return &v }
