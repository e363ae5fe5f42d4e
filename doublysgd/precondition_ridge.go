package doublysgd

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// ridge minimises, in a preconditioned space,
//
//	1/(2n)·Σ_i ‖f(x_i) − y_i‖² + (nu/2)·‖f‖².
type ridge struct {
	p      *preconditioned
	nu     float64
	gram   compute.Matrix // eᵀe/n, all of it
	factor compute.Matrix // Cholesky factor of eᵀe/n + nu·I
	y      compute.Matrix // n×k
	rest   *restPart
}

// newRidge returns rkhs.ErrDiverged if nu is lost beside the kernel.
func (p *preconditioned) newRidge(y compute.Matrix, nu float64, keep bool) (*ridge, error) {
	q := p.c.count()
	r := &ridge{p: p, nu: nu, y: y, gram: compute.NewMatrix(q, q)}
	compute.AddGram(r.gram, p.e, p.workers)
	for i := range q {
		for j := i; j < q; j++ {
			v := r.gram.Data[i*q+j] / float64(p.n)
			r.gram.Data[i*q+j], r.gram.Data[j*q+i] = v, v
		}
	}
	r.factor = cloneMatrix(r.gram)
	for i := range q {
		r.factor.Data[i*q+i] += nu
	}
	if !compute.Cholesky(r.factor, p.workers) {
		return nil, fmt.Errorf("doublysgd: the ridge %v is lost beside the kernel: %w", nu, rkhs.ErrDiverged)
	}
	r.rest = p.newRest(y.Cols, keep)
	return r, nil
}

// residual returns (y − f)/n.
func (r *ridge) residual(f compute.Matrix) compute.Matrix {
	g := compute.NewMatrix(r.p.n, r.y.Cols)
	for i := range g.Data {
		g.Data[i] = (r.y.Data[i] - f.Data[i]) / float64(r.p.n)
	}
	return g
}

// solve returns the best φ beside a rest, and the values of both at all rows:
//
//	(eᵀe/n + nu·I)·φ = eᵀ(y − Z·A)/n − eᵀe/n·known.
func (r *ridge) solve(rest iterate) (phi, f compute.Matrix) {
	phi = r.p.coordinates(r.residual(rest.values))
	known := cloneMatrix(rest.known)
	blas64.Scal(-1, vector(known.Data))
	compute.MulNN(phi, r.gram, known, r.p.workers)
	compute.SolveUpper(r.factor, phi, true, r.p.workers)
	compute.SolveUpper(r.factor, phi, false, r.p.workers)
	both := cloneMatrix(phi)
	blas64.Axpy(-1, vector(known.Data), vector(both.Data))
	f = cloneMatrix(rest.values)
	r.p.addSpanned(f, both)
	return phi, f
}

// step takes one step in the rest.
func (r *ridge) step() {
	phi, f := r.solve(r.rest.now)
	g := r.residual(f)
	blas64.Scal(-1, vector(g.Data))
	blas64.Scal(-r.nu, vector(phi.Data)) // what solve makes of eᵀg
	rate := r.p.rate(1, r.nu)
	r.rest.step(g, phi, rate/(1+rate*r.nu*float64(r.rest.steps)/1.5), r.nu)
}

// bound bounds the root mean square of f less the minimiser over that of f, on a sample
// of the rows: with the gradient h = Σ_i (f − y)(x_i)·k(x_i, ·)/n + nu·f, in exact
// kernel values, the error is (K/n + nu·I)⁻¹h, of which h/nu is the larger.
func (r *ridge) bound(f compute.Matrix) float64 {
	sample := r.p.sample()
	h := compute.NewMatrix(len(sample), r.y.Cols)
	r.p.c.of.Mul(h, gather(r.p.x, sample), r.p.x, r.residual(f))
	lack, size := 0.0, 0.0
	for i, s := range sample {
		for o, v := range row(f, s) {
			d := v - h.Data[i*h.Stride+o]/r.nu
			lack += d * d
			size += v * v
		}
	}
	if lack == 0 {
		return 0
	}
	return math.Sqrt(lack / size)
}
