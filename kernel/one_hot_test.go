package kernel_test

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestOneHot counts different codes. A different level adds 2 to the squared distance. A code without a level has
// squared distance 1 from a level and 0 from another code without a level.
func TestOneHot(t *testing.T) {
	k := kernel.OneHot{Levels: [][]float64{{1, 2, 7}, nil, {-1, 0}}, Of: kernel.Gaussian{Sigma: 1}}
	for _, c := range []struct {
		x, y    []float64
		squared float64
	}{
		{[]float64{1, 3, 0}, []float64{1, 3, 0}, 0},
		{[]float64{1, 3, 0}, []float64{7, 3, 0}, 2},
		{[]float64{1, 3, 0}, []float64{2, 3, -1}, 4},
		{[]float64{1, 3, 0}, []float64{1, 4.5, 0}, 2.25},
		{[]float64{1, 3, 0}, []float64{5, 3, 0}, 1},
		{[]float64{6, 3, 0}, []float64{5, 3, 0}, 0},
	} {
		want := math.Exp(-c.squared / 2)
		if got := k.Eval(c.x, c.y); math.Abs(got-want) > 1e-15 {
			t.Errorf("k(%v, %v) = %v, want %v", c.x, c.y, got, want)
		}
	}
}

// TestOneHotSparse has a level 0, which sparse rows do not list.
func TestOneHotSparse(t *testing.T) {
	x := mat.NewDense(4, 3, []float64{0, 2, 0, 1, 0, 0, 0, 0, 3, 2, 5, 1})
	k := kernel.OneHot{Levels: [][]float64{{0, 1, 2}, nil, {0, 1}}, Of: kernel.ARD{Scales: []float64{1, 2, 3, 1, 1, 2}, Of: kernel.Laplacian{Sigma: 2}}}
	sparse := compute.SparsePoints(compute.DensePoints(x.RawMatrix()).Thin())
	got, want := compute.NewMatrix(4, 4), compute.NewMatrix(4, 4)
	e := gram.Evaluator{Kernel: k}
	e.CrossOf(got, sparse, sparse)
	e.Cross(want, x.RawMatrix(), x.RawMatrix())
	of, images := e.MappedPoints(sparse)
	mapped := compute.NewMatrix(4, 4)
	of.CrossOf(mapped, images, images)
	for i, w := range want.Data {
		if math.Abs(got.Data[i]-w) > 1e-15 || math.Abs(mapped.Data[i]-w) > 1e-15 {
			t.Errorf("value %d: %v by sparse rows, %v mapped, want %v", i, got.Data[i], mapped.Data[i], w)
		}
	}
}

func TestOneHotFaults(t *testing.T) {
	g := kernel.Gaussian{Sigma: 1}
	x := mat.NewDense(1, 2, []float64{1, 2})
	for _, c := range []struct {
		k    kernel.Kernel
		want error
	}{
		{kernel.OneHot{Of: g}, rkhs.ErrShape},
		{kernel.OneHot{Levels: [][]float64{{1, 2}}, Of: g}, rkhs.ErrShape},
		{kernel.OneHot{Levels: [][]float64{{2, 1}, nil}, Of: g}, rkhs.ErrOption},
		{kernel.OneHot{Levels: [][]float64{{1, 1}, nil}, Of: g}, rkhs.ErrOption},
		{kernel.OneHot{Levels: [][]float64{{1, math.Inf(1)}, nil}, Of: g}, rkhs.ErrNotFinite},
		{kernel.OneHot{Levels: [][]float64{{1, 2}, nil}, Of: kernel.ARD{Scales: []float64{1, 1}, Of: g}}, rkhs.ErrShape},
		{kernel.OneHot{Levels: [][]float64{{1, 2}, nil}}, rkhs.ErrOption},
		{kernel.OneHot{Levels: [][]float64{{1}, nil}, Of: kernel.Hellinger{}}, nil},
	} {
		if err := kernel.Check(c.k, x); !errors.Is(err, c.want) {
			t.Errorf("%v: %v, want %v", c.k, err, c.want)
		}
	}
	// The domain is the domain of the image, which includes the second column unchanged.
	x.Set(0, 1, -2)
	err := kernel.Check(kernel.OneHot{Levels: [][]float64{{1}, nil}, Of: kernel.Hellinger{}}, x)
	if !errors.Is(err, rkhs.ErrDomain) {
		t.Errorf("a negative coordinate: %v", err)
	}
}
