package blocks

import (
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// Gram computes Gram matrices Z·Zᵀ of the features of blocks between rows, one after the other in the
// same memory.
type Gram struct {
	Products *features.Products // that keep what blocks of several kernels share, or nil
	Workers  int

	z        compute.Matrix
	x32, z32 compute.Matrix32
	sum      compute.Matrix32
}

// Add adds that of a block of so many features to the upper triangle of dst. O(n²·m).
func (g *Gram) Add(dst compute.Matrix, b features.Block, x compute.Points, columns int) {
	z := compute.Reshape(&g.z, x.Rows, columns)
	if g.Products != nil {
		g.Products.TransformPoints(b, z, x)
	} else {
		features.TransformPoints(b, z, x)
	}
	compute.AddRowGram(dst, z, g.Workers)
}

// AddSingle is Add with features and sums over them in single precision, of a block and rows that
// ServesSingle allows. Only sums over blocks are in double.
func (g *Gram) AddSingle(dst compute.Matrix, b features.Block, x compute.Points, columns int) {
	transform, _ := features.Single(b)
	roundTo(&g.x32, x.Matrix)
	reshape32(&g.z32, x.Rows, columns)
	transform(g.z32, g.x32)
	reshape32(&g.sum, x.Rows, x.Rows)
	compute.Parallel(x.Rows, g.Workers, func(i int) { clear(g.sum.Data[i*g.sum.Stride+i : (i+1)*g.sum.Stride]) })
	compute.AddRowGram32(g.sum, g.z32, g.Workers)
	compute.Parallel(x.Rows, g.Workers, func(i int) {
		widen(compute.Row(dst, i)[i:], g.sum.Data[i*g.sum.Stride+i:])
	})
}

// ServesSingleGram reports whether the Gram matrix of a kernel between rows may be in single precision
// where so much is added to its diagonal: rounding moves eigenvalues by about √n times what it moves the
// largest values by, which must be less than a hundredth of that.
func ServesSingleGram(k kernel.Kernel, x compute.Points, added float64, workers int) bool {
	const rounding = 0x1p-23
	diagonal := make([]float64, x.Rows)
	kernel.Evaluator{Kernel: k, Workers: workers}.DiagOf(diagonal, x)
	return 100*rounding*math.Sqrt(float64(x.Rows))*slices.Max(diagonal) <= added
}
