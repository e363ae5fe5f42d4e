package blocks

import (
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// Gram matrices are sums of products of the features of rows, in single precision up to its rounding.
func TestGram(t *testing.T) {
	const n, d, columns = 150, 3, 64
	x := compute.NewMatrix(n, d)
	for i := range x.Data {
		x.Data[i] = math.Sin(float64(3 * i))
	}
	k := kernel.Gaussian{Sigma: 1}
	m, err := features.New(k, d, features.Options{Columns: columns})
	if err != nil {
		t.Fatal(err)
	}
	rows := compute.DensePoints(x)
	for _, c := range []struct {
		name  string
		add   func(g *Gram, dst compute.Matrix, b features.Block)
		bound float64
	}{
		{"double", func(g *Gram, dst compute.Matrix, b features.Block) { g.Add(dst, b, rows, columns) }, 1e-14},
		{"single", func(g *Gram, dst compute.Matrix, b features.Block) { g.AddSingle(dst, b, rows, columns) }, 2e-6},
	} {
		got, want := compute.NewMatrix(n, n), compute.NewMatrix(n, n)
		g := Gram{Workers: 2}
		for b := range uint64(3) {
			c.add(&g, got, m.Block(b))
			z := compute.NewMatrix(n, columns)
			m.Block(b).TransformTo(z, x)
			compute.MulNT(want, z, z, 1)
		}
		for i := range n {
			for j := i; j < n; j++ {
				if off := math.Abs(got.Data[i*n+j] - want.Data[i*n+j]); !(off < c.bound*3) {
					t.Fatalf("%s: element %d, %d is off by %.2g", c.name, i, j, off)
				}
			}
		}
	}
	// √150·1.2e-7·100 is what noise may be at least.
	if ServesSingleGram(k, rows, 1e-4, 1) || !ServesSingleGram(k, rows, 1e-3, 1) || ServesSingleGram(kernel.Scale{By: 100, Of: k}, rows, 1e-3, 1) {
		t.Error("single precision is not in proportion to what is added to the diagonal")
	}
}
