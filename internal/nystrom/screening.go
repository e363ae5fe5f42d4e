package nystrom

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

const (
	// screeningRows is the number of rows in the test.
	screeningRows = 128
	// screened is the largest residual variance given neighbours, relative to the residual given centres,
	// for which neighbours precondition a smooth kernel.
	screened = 1. / 3
	// smoothGain is the largest residual variance at the middle of five points on a line, relative to
	// the residual given its two nearest points, of a smooth kernel. The points are so close that the
	// two leave at most nearResidual of k(x, x). The ratio is about .03 for Gaussian, .1 for
	// RationalQuadratic, .06 to .3 for Matern with 5/2, .6 with 3/2 and 1 with 1/2.
	smoothGain   = 0.15
	nearResidual = 0.01
	// mostHalvings bounds the distance from below.
	mostHalvings = 30
)

// Screens reports whether Neighbours precondition well: given the centres, with functions e at the rows,
// and the neighbours of a row, other rows are almost uninformative. This is true of kernels that are not
// smooth. For a smooth kernel it is true if the residual given the neighbours is at most a third of the
// residual given the centres. With many columns the residual is larger, and the preconditioner would
// increase the iterations. Source: Stein, "The screening effect in kriging", Annals of Statistics 30,
// 2002, for spectral densities that decay like powers; it excludes the Gaussian.
func (s *Regression) Screens(neighbours int, e compute.Matrix) bool {
	n := s.X.Rows
	if s.X.Sparse != nil || n < 2 {
		return true
	}
	rows := min(screeningRows, n/2)
	panel := compute.NewMatrix(rows, n)
	of, x := s.mapped()
	of.CrossOf(panel, x.Between(0, rows), x)
	diag, scale := make([]float64, n), make([]float64, n)
	s.Of.DiagOf(diag, s.X)
	for i, v := range diag {
		scale[i] = 1 / math.Sqrt(max(v, math.SmallestNonzeroFloat64))
	}
	one := s.Of
	one.Workers = 1
	smooth, residual, left := make([]float64, rows), make([]float64, rows), make([]float64, rows)
	compute.Parallel(rows, s.Of.Workers, func(i int) {
		k := compute.Row(panel, i)[i+1:]
		g := s.row(one, i, nearest(k, scale[i+1:], neighbours, i+1), e)
		last := g[len(g)-1]
		left[i], residual[i] = 1/(last*last)-s.Noise/s.Weights.At(i), diag[i]
		for _, v := range compute.Row(e, i) {
			residual[i] -= float64(v * v)
		}
		first := nearest(k, scale[i+1:], 1, i+1)[0]
		if smoothBetween(s.Of.Kernel, compute.Row(s.X.Matrix, i), compute.Row(s.X.Matrix, int(first))) {
			smooth[i] = 1
		}
	})
	return 2*floats.Sum(smooth) < float64(rows) || floats.Sum(left) <= screened*floats.Sum(residual)
}

// smoothBetween reports whether k is smooth on the line from x towards z. Of five equidistant points, the
// outer two must explain nearly all of the residual of the middle point given its neighbours. A kernel
// that is not defined between rows, such as a kernel of codes, is not smooth.
func smoothBetween(k kernel.Kernel, x, z []float64) bool {
	line := compute.NewMatrix(5, len(x))
	for step := 0.25; step > math.Ldexp(1, -mostHalvings); step /= 2 {
		for i := range line.Rows {
			for j, v := range x {
				line.Data[i*line.Stride+j] = v + float64(float64(i)*step*(z[j]-v))
			}
		}
		if gram.Check(k, compute.DensePoints(line)) != nil {
			return false
		}
		middle := compute.Row(line, 2)
		two := lastResidual(k, compute.Pick(line, []int{1, 3, 2}))
		if two <= nearResidual*k.Eval(middle, middle) {
			return two > 0 && lastResidual(k, compute.Pick(line, []int{0, 1, 3, 4, 2})) <= smoothGain*two
		}
	}
	return false
}

// lastResidual returns the residual variance at the last point given the other points.
func lastResidual(k kernel.Kernel, points compute.Matrix) float64 {
	g := compute.NewMatrix(points.Rows, points.Rows)
	for i := range points.Rows {
		for j := range points.Rows {
			g.Data[i*g.Stride+j] = k.Eval(compute.Row(points, i), compute.Row(points, j))
		}
	}
	if !compute.Cholesky(g, 1) {
		return 0
	}
	last := g.Data[len(g.Data)-1]
	return last * last
}
