package doublysgd_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// positive returns n rows of d columns in (0, 1) and a function in the space of the linear
// kernel.
func positive(n, d int) (x, y *mat.Dense) {
	x, y = mat.NewDense(n, d, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		for j := range d {
			v := math.Abs(math.Sin(float64(1 + i*d + j)))
			x.Set(i, j, v)
			y.Set(i, 0, y.At(i, 0)+v*float64(j-1))
		}
	}
	return x, y
}

// TestExactFeatures fits and saves models with kernels that have exact features. A block then
// has the number of columns of the kernel, which may be odd, and not Columns.
func TestExactFeatures(t *testing.T) {
	for _, d := range []int{3, 4} {
		x, y := positive(300, d)
		for _, k := range []kernel.Kernel{
			kernel.Linear{}, kernel.Hellinger{},
			kernel.Sum{kernel.Linear{}, kernel.Hellinger{}},
			kernel.Sum{kernel.Linear{}, kernel.Gaussian{Sigma: 1}},
		} {
			for _, mode := range []doublysgd.Mode{doublysgd.Revisit, doublysgd.Newton, doublysgd.Plain} {
				name := fmt.Sprintf("%v, d = %d, %v", k, d, mode)
				m, err := doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Kernel: k, Paper: doublysgd.Paper{Mode: mode}})
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				p, err := m.Predict(x)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if e := relative(p, y); mode == doublysgd.Revisit && k != (kernel.Hellinger{}) && e > 0.2 {
					t.Errorf("%s: error %.3f of the deviation", name, e)
				}
				data, err := m.MarshalBinary()
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				var loaded doublysgd.Model
				if err := loaded.UnmarshalBinary(data); err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				if q, err := loaded.Predict(x); err != nil || !mat.Equal(p, q) {
					t.Errorf("%s: the file predicts otherwise, error %v", name, err)
				}
			}
			resumesExact(t, k, x, y)
		}
	}
}

// resumesExact saves and resumes a stream halfway.
func resumesExact(t *testing.T, k kernel.Kernel, x, y *mat.Dense) {
	t.Helper()
	o := &doublysgd.Options{Kernel: k, Paper: doublysgd.Paper{Columns: 64, Batch: 64}}
	whole, err := doublysgd.NewLearner(o)
	if err != nil {
		t.Fatal(err)
	}
	_, d := x.Dims()
	update := func(l *doublysgd.Learner, from, to int) {
		if err := l.Update(x.Slice(from, to, 0, d), y.Slice(from, to, 0, 1)); err != nil {
			t.Fatal(err)
		}
	}
	update(whole, 0, 150)
	data, err := whole.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	resumed := new(doublysgd.Learner)
	if err := resumed.UnmarshalBinary(data); err != nil {
		t.Errorf("%v: %v", k, err)
		return
	}
	update(whole, 150, 300)
	update(resumed, 150, 300)
	a, errA := whole.MarshalBinary()
	b, errB := resumed.MarshalBinary()
	if errA != nil || errB != nil || string(a) != string(b) {
		t.Errorf("%v: the stream that was saved goes on otherwise, errors %v, %v", k, errA, errB)
	}
}

// relative returns the root mean square error as a fraction of the standard deviation.
func relative(p, y *mat.Dense) float64 {
	n, _ := y.Dims()
	mean := mat.Sum(y) / float64(n)
	var e, s float64
	for i := range n {
		e += (p.At(i, 0) - y.At(i, 0)) * (p.At(i, 0) - y.At(i, 0))
		s += (y.At(i, 0) - mean) * (y.At(i, 0) - mean)
	}
	return math.Sqrt(e / s)
}

// TestRidgeInUnitsOfTheKernel checks that scaling the kernel, or the inputs of a homogeneous
// kernel, does not change the error.
func TestRidgeInUnitsOfTheKernel(t *testing.T) {
	testutil.Long(t, "it is about figures")
	x, y := positive(300, 3)
	fit := func(k kernel.Kernel, by float64) float64 {
		var z mat.Dense
		z.Scale(by, x)
		m, err := doublysgd.Fit(context.Background(), &z, y, &doublysgd.Options{Kernel: k})
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Predict(&z)
		if err != nil {
			t.Fatal(err)
		}
		return relative(p, y)
	}
	g := kernel.Gaussian{Sigma: 1}
	want := fit(kernel.Scale{By: 1, Of: g}, 1)
	for _, by := range []float64{1e-12, 1e-6, 1e6} {
		if got := fit(kernel.Scale{By: by, Of: g}, 1); math.Abs(got-want) > 0.1*want {
			t.Errorf("%v times the kernel: error %.4g, want %.4g", by, got, want)
		}
	}
	want = fit(kernel.ArcCosine{Order: 1}, 1)
	for _, by := range []float64{1e-3, 1e3} {
		if got := fit(kernel.ArcCosine{Order: 1}, by); math.Abs(got-want) > 0.1*want {
			t.Errorf("inputs times %v: error %.4g, want %.4g", by, got, want)
		}
	}
}
