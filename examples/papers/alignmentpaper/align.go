package alignmentpaper

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// aligning returns the centred alignment of a kernel with labels ±1 on the rows of a set,
//
//	<C·K·C, yyᵀ> / (‖C·K·C‖·‖C·yyᵀ·C‖).
//
// It costs O(n²) kernel evaluations for each term of a sum.
func aligning(k kernel.Kernel, on *dataset.Set) float64 {
	n := len(on.Y)
	values := compute.NewMatrix(n, n)
	gram.Evaluator{Kernel: k}.Gram(values, on.X.RawMatrix())
	c := centre(values)
	mean := floats.Sum(on.Y) / float64(n)
	y := mat.NewVecDense(n, append([]float64(nil), on.Y...))
	floats.AddConst(-mean, y.RawVector().Data)
	return mat.Inner(y, mat.NewDense(n, n, c), y) / (floats.Norm(c, 2) * mat.Dot(y, y))
}
