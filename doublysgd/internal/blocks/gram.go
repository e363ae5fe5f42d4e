package blocks

import (
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// Gram computes Gram matrices Z·Zᵀ of features and reuses its memory.
type Gram struct {
	Products *features.Products // cache of products that several kernels share, or nil
	Single   bool               // whether features and sums are in single precision, which ServesSingle and ServesSingleGram allow
	Workers  int

	z        compute.Matrix
	x32, z32 compute.Matrix32
	sum      compute.Matrix32
}

// Add adds the Gram matrices of blocks [from, to) of f to the upper triangle of dst. It returns the
// first block that it did not add because it was stopped. O(n²·m) a block.
func (g *Gram) Add(dst compute.Matrix, f *Function, from, to int, x compute.Points, stopped func() bool) int {
	add := func(b features.Block) { g.add(dst, b, x, f.Map.Columns()) }
	if g.Single && from < to {
		g.startSingle(x)
		add = func(b features.Block) { g.addSingle(b, x.Rows, f.Map.Columns()) }
		defer g.addSum(dst)
	}
	for ; from < to && !stopped(); from++ {
		add(f.Block(from))
	}
	return from
}

func (g *Gram) add(dst compute.Matrix, b features.Block, x compute.Points, columns int) {
	z := compute.Reshape(&g.z, x.Rows, columns)
	if g.Products != nil {
		g.Products.TransformPoints(b, z, x)
	} else {
		features.TransformPoints(b, z, x)
	}
	compute.AddRowGram(dst, z, g.Workers)
}

// startSingle rounds the rows and clears the sum.
func (g *Gram) startSingle(x compute.Points) {
	roundTo(&g.x32, x.Matrix)
	reshape(&g.sum, x.Rows, x.Rows)
	compute.Parallel(x.Rows, g.Workers, func(i int) { clear(g.sum.Data[i*g.sum.Stride+i : (i+1)*g.sum.Stride]) })
}

func (g *Gram) addSingle(b features.Block, rows, columns int) {
	transform, _ := features.Single(b)
	reshape(&g.z32, rows, columns)
	transform(g.z32, g.x32)
	compute.AddRowGram32(g.sum, g.z32, g.Workers)
}

// addSum adds the sum to the upper triangle of dst.
func (g *Gram) addSum(dst compute.Matrix) {
	compute.Parallel(dst.Rows, g.Workers, func(i int) {
		widen(compute.Row(dst, i)[i:], g.sum.Data[i*g.sum.Stride+i:])
	})
}

// ServesSingleGram reports whether single precision suffices for a Gram matrix with the given
// addition to its diagonal. Rounding changes eigenvalues by about √n times the rounding error of the
// largest value, which must be less than 1 % of the addition.
func ServesSingleGram(k kernel.Kernel, x compute.Points, added float64, workers int) bool {
	const rounding = 0x1p-23
	diagonal := make([]float64, x.Rows)
	gram.Evaluator{Kernel: k, Workers: workers}.DiagOf(diagonal, x)
	return 100*rounding*math.Sqrt(float64(x.Rows))*slices.Max(diagonal) <= added
}
