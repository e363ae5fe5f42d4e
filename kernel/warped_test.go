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

// TestWarped compares values with the Gaussian of images computed by hand: linear between the knots,
// constant outside, unchanged without knots.
func TestWarped(t *testing.T) {
	k := kernel.Warped{From: [][]float64{{0, 1, 10}, nil, {5}}, To: [][]float64{{-1, 1, 1}, nil, {2}}, Of: kernel.Gaussian{Sigma: 1}}
	for _, c := range []struct{ x, image []float64 }{
		{[]float64{0, 3, 5}, []float64{-1, 3, 2}},
		{[]float64{0.25, -2, 4}, []float64{-0.5, -2, 2}},
		{[]float64{1, 0, 6}, []float64{1, 0, 2}},
		{[]float64{7, 0, 6}, []float64{1, 0, 2}},
		{[]float64{-100, 0, 6}, []float64{-1, 0, 2}},
		{[]float64{100, 0, 6}, []float64{1, 0, 2}},
	} {
		origin := []float64{0.5, 0, 5} // with the image (0, 0, 2)
		want := kernel.Gaussian{Sigma: 1}.Eval(c.image, []float64{0, 0, 2})
		if got := k.Eval(c.x, origin); math.Abs(got-want) > 1e-15 {
			t.Errorf("k(%v, %v) = %v, want %v", c.x, origin, got, want)
		}
	}
}

func TestWarpedFaults(t *testing.T) {
	g := kernel.Gaussian{Sigma: 1}
	x := mat.NewDense(1, 2, []float64{1, 2})
	two := [][]float64{{0, 1}, nil}
	for _, c := range []struct {
		k    kernel.Warped
		want error
	}{
		{kernel.Warped{From: two, To: two, Of: g}, nil},
		{kernel.Warped{Of: g}, rkhs.ErrEmpty},
		{kernel.Warped{From: two[:1], To: two[:1], Of: g}, rkhs.ErrShape},
		{kernel.Warped{From: two, To: two[:1], Of: g}, rkhs.ErrShape},
		{kernel.Warped{From: two, To: [][]float64{{0}, nil}, Of: g}, rkhs.ErrShape},
		{kernel.Warped{From: [][]float64{{1, 1}, nil}, To: two, Of: g}, rkhs.ErrOption},
		{kernel.Warped{From: two, To: [][]float64{{1, 0}, nil}, Of: g}, rkhs.ErrOption},
		{kernel.Warped{From: [][]float64{{0, math.NaN()}, nil}, To: two, Of: g}, rkhs.ErrNotFinite},
		{kernel.Warped{From: [][]float64{{-1e308, 1e308}, nil}, To: two, Of: g}, rkhs.ErrNotFinite},
		{kernel.Warped{From: two, To: [][]float64{{0, math.Inf(1)}, nil}, Of: g}, rkhs.ErrNotFinite},
		{kernel.Warped{From: two, To: two}, rkhs.ErrOption},
	} {
		if err := kernel.Check(c.k, x); !errors.Is(err, c.want) {
			t.Errorf("%v: %v, want %v", c.k, err, c.want)
		}
	}
	// The domain is the domain of the image.
	k := kernel.Warped{From: two, To: [][]float64{{-1, 1}, nil}, Of: kernel.Hellinger{}}
	if err := kernel.Check(k, mat.NewDense(1, 2, []float64{0, 2})); !errors.Is(err, rkhs.ErrDomain) {
		t.Errorf("a negative image: %v", err)
	}
}

// TestWarpedSparse has knots around 0, which sparse rows do not list.
func TestWarpedSparse(t *testing.T) {
	x := mat.NewDense(4, 3, []float64{0, 2, 0, 1, 0, 0, 0, 0, 3, 2, 5, 1})
	k := kernel.Warped{From: [][]float64{{-1, 1}, nil, {0, 3}}, To: [][]float64{{2, 4}, nil, {-1, 1}}, Of: kernel.ARD{Scales: []float64{1, 2, 3}, Of: kernel.Laplacian{Sigma: 2}}}
	sparse := compute.SparsePoints(compute.DensePoints(x.RawMatrix()).Thin())
	got, mixed, want := compute.NewMatrix(4, 4), compute.NewMatrix(4, 4), compute.NewMatrix(4, 4)
	e := gram.Evaluator{Kernel: k}
	e.CrossOf(got, sparse, sparse)
	e.Cross(want, x.RawMatrix(), x.RawMatrix())
	of, images := e.MappedPoints(sparse)
	_, points := e.MappedPoints(compute.DensePoints(x.RawMatrix()))
	of.CrossOf(mixed, images, points)
	for i, w := range want.Data {
		if math.Abs(got.Data[i]-w) > 1e-15 || math.Abs(mixed.Data[i]-w) > 1e-15 {
			t.Errorf("value %d: %v by sparse rows, %v mapped, want %v", i, got.Data[i], mixed.Data[i], w)
		}
	}
}

// TestWarpedExpression keeps the printed form.
func TestWarpedExpression(t *testing.T) {
	k := kernel.Warped{From: [][]float64{{0, 1}, nil}, To: [][]float64{{-1, 2}, nil}, Of: kernel.Gaussian{Sigma: 1}}
	const want = "kernel.Warped{From: [][]float64{{0, 1}, nil}, To: [][]float64{{-1, 2}, nil}, Of: kernel.Gaussian{Sigma: 1}}"
	if k.String() != want {
		t.Errorf("%v, want %v", k, want)
	}
}
