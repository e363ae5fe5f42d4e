package ridge

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
)

// The compression error is the distance in the space of the kernel. It is at most the error of the projection
// by kernel.Expansion, and decreases to zero with more points.
func TestCompress(t *testing.T) {
	x, y := wave(250, 3)
	ctx := context.Background()
	for _, k := range []kernel.Kernel{kernel.Matern{Nu: 0.5, Length: 3}, kernel.Gaussian{Sigma: 2}} {
		m, err := Fit(ctx, x, y, &Options{Kernel: k, Ridge: 1e-4})
		if err != nil {
			t.Fatal(err)
		}
		last := m.Report().Norm
		for _, points := range []int{1, 10, 100, 250} {
			c, err := m.Compress(ctx, points)
			if err != nil {
				t.Fatal(err)
			}
			want, err := m.Expansion().Distance(c.Expansion())
			if err != nil {
				t.Fatal(err)
			}
			r := c.Report()
			if r.ModelOrder > points || c.ModelOrder() != r.ModelOrder {
				t.Fatalf("%d points, the report says %d, asked for %d", c.ModelOrder(), r.ModelOrder, points)
			}
			for o, got := range r.CompressionError {
				if math.Abs(got-want[o]) > 1e-6*m.Report().Norm[o] {
					t.Errorf("%v, %d points: lost %v, the distance is %v", k, points, got, want[o])
				}
				if got > last[o] {
					t.Errorf("%v, %d points: lost %v, more than fewer do, %v", k, points, got, last[o])
				}
				if points == 250 && got > 1e-5*m.Report().Norm[o] {
					t.Errorf("%v: lost %v with all points", k, got)
				}
				if r.Error[o] < got || math.Abs(floats.Norm([]float64{r.Norm[o], got}, 2)/m.Report().Norm[o]-1) > 1e-9 {
					t.Errorf("%v, %d points: norm %v and error %v do not fit %v lost", k, points, r.Norm[o], r.Error[o], got)
				}
			}
			last = r.CompressionError
			inner, err := m.Expansion().Add(-1, c.Expansion())
			if err != nil {
				t.Fatal(err)
			}
			products, err := inner.InnerProduct(c.Expansion())
			if err != nil {
				t.Fatal(err)
			}
			for o, v := range products { // orthogonal, like a projection
				if norm := m.Report().Norm[o]; math.Abs(v) > 1e-6*norm*norm {
					t.Errorf("%v, %d points: <f − f_c, f_c> = %v", k, points, v)
				}
			}
		}
	}
}

// The compression error is at most 1.1 times the error of the plain algorithm, which adds the best point in
// each step.
func TestCompressSelectsWell(t *testing.T) {
	x, y := wave(200, 2)
	m, err := Fit(context.Background(), x, y.Slice(0, 200, 0, 1), &Options{Kernel: kernel.Matern{Nu: 1.5, Length: 2}, Ridge: 1e-5})
	if err != nil {
		t.Fatal(err)
	}
	c, err := m.Compress(context.Background(), 130) // three at a time
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.Report().CompressionError[0], plainPursuit(m, 130); got > 1.1*want {
		t.Errorf("lost %v, the plain algorithm %v", got, want)
	}
}

// plainPursuit returns the compression error of a greedy selection of one point at a time.
func plainPursuit(m *Model, points int) float64 {
	f := m.Expansion()
	n := f.ModelOrder()
	h, left := make([][]float64, n), make([]float64, n)
	square := 0.0
	for i := range h {
		h[i] = make([]float64, n)
		for j := range n {
			h[i][j] = f.Kernel.Eval(mat.Row(nil, i, f.Points), mat.Row(nil, j, f.Points))
			left[i] += h[i][j] * f.Weights.At(j, 0)
		}
		square += left[i] * f.Weights.At(i, 0)
	}
	for range points {
		best, most := 0, 0.0
		for i, v := range left {
			if gain := v * v / h[i][i]; h[i][i] > 1e-12 && gain > most {
				best, most = i, gain
			}
		}
		square -= most
		column, at, pivot := append([]float64(nil), h[best]...), left[best], h[best][best]
		for i := range h {
			floats.AddScaled(h[i], -column[i]/pivot, column)
			left[i] -= column[i] / pivot * at
		}
	}
	return math.Sqrt(square)
}

// A cancelled compression, and one to no points, return an error.
func TestCompressRefuses(t *testing.T) {
	x, y := wave(60, 2)
	m, err := Fit(context.Background(), x, y, &Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-3})
	if err != nil {
		t.Fatal(err)
	}
	if c, err := m.Compress(context.Background(), 0); c != nil || !errors.Is(err, rkhs.ErrOption) {
		t.Errorf("no points: %v, error %v", c, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if c, err := m.Compress(ctx, 5); c != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v, error %v", c, err)
	}
}
