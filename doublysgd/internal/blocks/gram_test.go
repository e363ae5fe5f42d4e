package blocks

import (
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/kernel"
)

// Gram matrices are sums of products of features, up to rounding in single precision.
func TestGram(t *testing.T) {
	const n, d, columns = 150, 3, 64
	x := compute.NewMatrix(n, d)
	for i := range x.Data {
		x.Data[i] = math.Sin(float64(3 * i))
	}
	k := kernel.Gaussian{Sigma: 1}
	f, err := Zero(k, d, 1, features.Options{Columns: columns}, DefaultCache)
	if err != nil {
		t.Fatal(err)
	}
	rows := compute.DensePoints(x)
	for _, c := range []struct {
		single bool
		bound  float64
	}{{false, 1e-14}, {true, 2e-6}} {
		got, want := compute.NewMatrix(n, n), compute.NewMatrix(n, n)
		g, asked := Gram{Single: c.single, Workers: 2}, 0
		// After a stop before the third block, Add continues with this block.
		at := g.Add(got, f, 0, 4, rows, func() bool { asked++; return asked == 3 })
		if at != 2 || g.Add(got, f, at, 4, rows, func() bool { return false }) != 4 {
			t.Errorf("stopped before block %d, want 2", at)
		}
		for b := range 4 {
			z := compute.NewMatrix(n, columns)
			f.Block(b).TransformTo(z, x)
			compute.MulNT(want, z, z, 1)
		}
		for i := range n {
			for j := i; j < n; j++ {
				if off := math.Abs(got.Data[i*n+j] - want.Data[i*n+j]); !(off < c.bound*4) {
					t.Fatalf("single precision %v: element %d, %d is off by %.2g", c.single, i, j, off)
				}
			}
		}
	}
	// The smallest allowed noise is √150·1.2e-7·100.
	if ServesSingleGram(k, rows, 1e-4, 1) || !ServesSingleGram(k, rows, 1e-3, 1) || ServesSingleGram(kernel.Scale{By: 100, Of: k}, rows, 1e-3, 1) {
		t.Error("single precision is not in proportion to what is added to the diagonal")
	}
}
