package alignment

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/linalg"
)

// dense is a family of any kernels, by Gram matrices that are formed: two at a
// time, those of members again whenever they are needed.
type dense struct {
	*data
	maximiser
	workers int
	members []kernel.Kernel
}

// maximiser finds the kernel of a family with the largest <P, K>, P being symmetric.
type maximiser interface {
	best(p compute.Matrix) candidate
	fallback() kernel.Kernel
}

func (f *dense) steepest(p direction) candidate { return f.best(f.matrix(p)) }

// matrix forms P. The sum of the members is centred as one.
func (f *dense) matrix(p direction) compute.Matrix {
	n := f.x.Rows
	sum, part := compute.NewMatrix(n, n), compute.NewMatrix(n, n)
	for t, c := range p.weights {
		f.gram(part, f.members[t])
		blas64.Axpy(-c, compute.Vector(part.Data), compute.Vector(sum.Data))
	}
	for i := range n {
		sum.Data[i*n+i] -= p.identity
	}
	linalg.CentreGram(sum, f.workers)
	scaled := compute.NewMatrix(n, f.y.Cols)
	blas64.Axpy(1/f.norm, compute.Vector(f.y.Data), compute.Vector(scaled.Data))
	compute.MulNT(sum, scaled, f.y, f.workers)
	return sum
}

func (f *dense) gram(dst compute.Matrix, k kernel.Kernel) {
	gram.Evaluator{Kernel: k, Workers: f.workers}.Gram(dst, f.x)
}

func (f *dense) admit(k kernel.Kernel) products {
	n := f.x.Rows
	own, other := compute.NewMatrix(n, n), compute.NewMatrix(n, n)
	f.gram(own, k)
	linalg.CentreGram(own, f.workers)
	p := products{}
	for i := range n {
		p.trace += own.Data[i*n+i]
	}
	compute.MulNT(other, f.y, f.y, f.workers)
	p.target = dot(own, other, f.workers)
	for _, m := range f.members {
		f.gram(other, m)
		p.members = append(p.members, dot(own, other, f.workers))
	}
	p.members = append(p.members, dot(own, own, f.workers))
	f.members = append(f.members, k)
	return p
}

// dot returns <A, B>, each row by itself.
func dot(a, b compute.Matrix, workers int) float64 {
	rows := make([]float64, a.Rows)
	compute.Parallel(a.Rows, workers, func(i int) {
		rows[i] = blas64.Dot(compute.Vector(compute.Row(a, i)), compute.Vector(compute.Row(b, i)))
	})
	s := 0.0
	for _, v := range rows {
		s += v
	}
	return s
}

// alignmentWith returns the centred alignment of k with the targets y on rows x.
func alignmentWith(k kernel.Kernel, x, y compute.Matrix, workers int) float64 {
	f := dense{data: newData(x, y).uncentred(), workers: workers}
	p := f.admit(k)
	if !(p.members[0] > 0 && f.norm > 0) {
		return 0
	}
	return p.target / (math.Sqrt(p.members[0]) * f.norm)
}
