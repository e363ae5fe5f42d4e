package nystrom

import (
	"math"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// Neighbours help for nonsmooth kernels in any number of columns and for smooth kernels in few columns. In
// many columns, with more than about a thousand rows, a step with the neighbour inverse increases the
// distance to the solution.
func TestScreens(t *testing.T) {
	for _, c := range []struct {
		of      kernel.Kernel
		columns int
		want    bool
	}{
		{kernel.Gaussian{Sigma: 0.2}, 2, true},
		{kernel.Gaussian{Sigma: 7}, 60, false},
		{kernel.Matern{Nu: 0.5, Length: 30}, 60, true},
		{kernel.Matern{Nu: 1.5, Length: 20}, 60, true},
		{kernel.Scale{Of: kernel.Gaussian{Sigma: 7}, By: 3}, 60, false},
	} {
		s := &Regression{Of: gram.Evaluator{Kernel: c.of, Workers: 2}, X: compute.DensePoints(points(2000, c.columns)), Noise: 0.03,
			Stopped: func() bool { return false }}
		drawn, err := Draw(s.Of, s.X, 100, 0, 1, func(int, int) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Screens(32, drawn.E); got != c.want {
			t.Errorf("%v in %d columns: %v, want %v", c.of, c.columns, got, c.want)
		}
	}
}

// A kernel is smooth if four points on a line almost determine the midpoint and two points do not.
func TestSmoothBetween(t *testing.T) {
	for k, want := range map[kernel.Kernel]bool{
		kernel.Gaussian{Sigma: 1}:                     true,
		kernel.RationalQuadratic{Alpha: 1, Length: 1}: true,
		kernel.Matern{Nu: 0.5, Length: 1}:             false,
		kernel.Matern{Nu: 1.5, Length: 1}:             false,
		kernel.Laplacian{Sigma: 1}:                    false,
	} {
		for _, distance := range []float64{0.1, 1, 10, 100} {
			x, z := []float64{1, 1}, []float64{1 + 0.8*distance, 1 - 0.6*distance}
			if got := smoothBetween(k, x, z); got != want {
				t.Errorf("%v, points at %v: %v, want %v", k, distance, got, want)
			}
			if smoothBetween(k, x, x) {
				t.Errorf("%v: smooth between equal points", k)
			}
		}
	}
}

// G maps functions in place with the same result.
func TestApplyInPlace(t *testing.T) {
	s := regressionOf(400, 0.1)
	drawn, err := Draw(s.Of, s.X, 150, 0, 1, func(int, int) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	s.Panels(false, 9, always)
	before := compute.Clone(drawn.E)
	p := NewNeighbours(s, drawn.E, always)
	want := compute.NewMatrix(before.Rows, before.Cols)
	p.apply(want, before)
	for i, v := range want.Data {
		if got := p.f.Data[i/want.Cols*p.f.Stride+i%want.Cols]; math.Abs(got-v) != 0 {
			t.Fatalf("F has %v, want %v", got, v)
		}
	}
}

// integers is a kernel on integers only.
type integers struct{ t *testing.T }

func (k integers) Eval(x, y []float64) float64 {
	if column, _ := k.Outside(x); column >= 0 {
		k.t.Errorf("value at %v", x)
	}
	return kernel.Gaussian{Sigma: 3}.Eval(x, y)
}

func (integers) Outside(x []float64) (int, string) {
	return slices.IndexFunc(x, func(v float64) bool { return math.Trunc(v) != v }), "is no integer"
}

// Screening does not evaluate a kernel outside of its domain.
func TestSmoothBetweenOutside(t *testing.T) {
	if smoothBetween(integers{t}, []float64{1, 4}, []float64{2, 4}) {
		t.Error("smooth between integers")
	}
}
