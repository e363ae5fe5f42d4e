package alignment

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/linalg"
)

// dense is a family of any kernels, by Gram matrices that are formed: two at a
// time, those of members again whenever they are needed.
type dense struct {
	*data
	search
	workers int
	members []kernel.Kernel
}

// search finds the kernel of a family with the largest <P, K>, P being symmetric.
type search interface {
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
		blas64.Axpy(-c, vector(part.Data), vector(sum.Data))
	}
	for i := range n {
		sum.Data[i*n+i] -= p.identity
	}
	linalg.CentreGram(sum, f.workers)
	scaled := compute.NewMatrix(n, f.y.Cols)
	blas64.Axpy(1/f.norm, vector(f.y.Data), vector(scaled.Data))
	compute.MulNT(sum, scaled, f.y, f.workers)
	return sum
}

func (f *dense) gram(dst compute.Matrix, k kernel.Kernel) {
	kernel.Evaluator{Kernel: k, Workers: f.workers}.Gram(dst, f.x)
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
	p.target = f.dot(own, other)
	for _, m := range f.members {
		f.gram(other, m)
		p.members = append(p.members, f.dot(own, other))
	}
	p.members = append(p.members, f.dot(own, own))
	f.members = append(f.members, k)
	return p
}

func (f *dense) dot(a, b compute.Matrix) float64 { return dot(a, b, f.workers) }

// dot returns <A, B>, each row by itself.
func dot(a, b compute.Matrix, workers int) float64 {
	rows := make([]float64, a.Rows)
	compute.Parallel(a.Rows, workers, func(i int) { rows[i] = blas64.Dot(vector(row(a, i)), vector(row(b, i))) })
	s := 0.0
	for _, v := range rows {
		s += v
	}
	return s
}
