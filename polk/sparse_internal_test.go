package polk

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// Models of rows of 2³¹−1 columns merge, also after a model without points.
func TestMergeSparse(t *testing.T) {
	x := &rkhs.Sparse{Rows: 6, Cols: math.MaxInt32, Offsets: []int{0, 1, 2, 3, 4, 5, 6},
		Columns: []int32{0, 5, 1 << 20, 1 << 30, 7, 5}, Values: []float64{1, 2, 1, 3, 1, 1}}
	y := mat.NewDense(6, 1, []float64{1, -1, 2, 0, 1, -2})
	m, err := Fit(context.Background(), x, y, &Options{Kernel: kernel.Gaussian{Sigma: 1}, Passes: 5})
	if err != nil {
		t.Fatal(err)
	}
	empty := *m
	empty.f = newSum(&m.f, []float64{0}, compute.Points{}, compute.Matrix{})
	merged, _, err := Merge([]*Model{&empty, m}, 0)
	if err != nil || merged.ModelOrder() != m.ModelOrder() {
		t.Fatalf("%d points of %d, %v", merged.ModelOrder(), m.ModelOrder(), err)
	}
	got, err := merged.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	want.Scale(.5, want)
	if !mat.EqualApprox(got, want, 1e-9) {
		t.Errorf("the mean with zero is %v, want %v", mat.Formatted(got), mat.Formatted(want))
	}
}
