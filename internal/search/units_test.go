package search

import (
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// Columns in one unit stay unscaled, even if some, such as border pixels of an image, are
// rarely nonzero. Columns in unrelated units are scaled, so that the kernel does not depend
// on the units.
func TestDefaultUnits(t *testing.T) {
	draw := rng.New(1, "test", 0)
	x := compute.NewMatrix(400, 4)
	for i := range x.Rows {
		row := compute.Row(x, i)
		row[0], row[1], row[2] = 200*draw.Float64(), 5*draw.Float64(), 50*draw.Float64()
		if i%20 == 7 {
			row[3] = 0.01 * draw.Float64()
		}
	}
	if k := defaultOf(t, x); k != (kernel.Gaussian{Sigma: k.(kernel.Gaussian).Sigma}) {
		t.Errorf("the default in one unit is %v", k)
	}
	var first kernel.Kernel
	for _, units := range [][]float64{{1, 1e4, 1e-2, 1}, {1e-6, 1e6, 1, 1e3}} {
		y := compute.Clone(x)
		for i := range y.Rows {
			for j := range y.Cols {
				compute.Row(y, i)[j] *= units[j]
			}
		}
		k, ok := defaultOf(t, y).(kernel.ARD)
		if !ok {
			t.Fatalf("the default in units %v is %v", units, k)
		}
		for j, s := range k.Scales {
			k.Scales[j] = s / units[j]
		}
		if first == nil {
			first = k
		}
		a, b := compute.Row(x, 0), compute.Row(x, 1)
		if v, w := first.Eval(a, b), k.Eval(a, b); math.Abs(v-w) > 1e-9 {
			t.Errorf("k is %v in units %v, and %v in others", w, units, v)
		}
	}
}

func defaultOf(t *testing.T, x compute.Matrix) kernel.Kernel {
	t.Helper()
	k, err := Kernel("test", nil, compute.DensePoints(x), 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	return k
}
