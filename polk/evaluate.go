package polk

import (
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// fewProducts is the number of multiplications below which a plain loop is
// faster than setting up a blocked product.
const fewProducts = 1 << 11

// evaluate sets dst = K(X, Z). A few values of a function of the distance are
// computed directly, without the memory and time that blocks take to set up.
func evaluate(e kernel.Evaluator, dst, x, z compute.Matrix) {
	if x.Rows == 0 || z.Rows == 0 {
		return
	}
	radial, ok := e.Kernel.(kernel.Radial)
	if _, own := e.Kernel.(kernel.Blocker); !ok || own || x.Rows*z.Rows*x.Cols > fewProducts {
		e.Cross(dst, x, z)
		return
	}
	for i := range x.Rows {
		to, xi := compute.Row(dst, i), compute.Row(x, i)
		for j := range to {
			to[j] = squaredDistance(xi, compute.Row(z, j))
		}
		radial.OfSquaredDistance(to)
	}
}

// gram sets dst = K(X, X).
func gram(e kernel.Evaluator, dst, x compute.Matrix) {
	if x.Rows == 1 {
		evaluate(e, dst, x, x)
		return
	}
	e.Gram(dst, x)
}

func squaredDistance(x, z []float64) float64 {
	s := 0.0
	z = z[:len(x)]
	for i, v := range x {
		d := v - z[i]
		s += float64(d * d)
	}
	return s
}
