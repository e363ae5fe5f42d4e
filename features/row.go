package features

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// rowBlock is a Block that transforms a single row faster than a block of one.
type rowBlock interface {
	transformRow(dst, x []float64)
}

// TransformRow sets dst to φ_b(x) of a single row x, up to rounding. It allocates nothing for
// Fourier features, those of inner products and exact ones, of mapped rows too.
func TransformRow(b Block, dst, x []float64) {
	if of, ok := b.(rowBlock); ok {
		of.transformRow(dst, x)
		return
	}
	b.TransformTo(row(dst), row(x))
}

func row(v []float64) blas64.General {
	return blas64.General{Rows: 1, Cols: len(v), Stride: len(v), Data: v}
}

func (f *fourierBlock) transformRow(dst, x []float64) {
	m := f.w.Rows
	cos, sin := dst[:m], dst[m:2*m]
	for j := range cos {
		cos[j] = compute.RowDot(compute.Row(f.w, j), x)
	}
	compute.Sin(sin, cos)
	compute.Cos(cos, cos)
	floats.Scale(math.Sqrt(f.gain/float64(m)), dst)
}

func (b *projection) transformRow(dst, x []float64) {
	for j := range dst {
		dst[j] = compute.RowDot(compute.Row(b.w, j), x)
	}
	b.function(dst, b.scale)
}

func (b *embeddedBlock) transformRow(dst, x []float64) {
	memory := borrow(b.by.Width(b.d))
	defer giveBack(memory)
	kernel.EmbedRow(b.by, *memory, x)
	TransformRow(b.of, dst, *memory)
}

func (b *exactBlock) transformRow(dst, x []float64) { kernel.EmbedRow(b.by, dst, x) }

func (b *rowsBlock) transformRow(dst, x []float64) {
	TransformRow(b.Block, dst, x)
	b.change(dst)
}
