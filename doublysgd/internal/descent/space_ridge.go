package descent

import (
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Ridge minimises, in a preconditioned space,
//
//	1/(2n)·Σ_i w_i·‖f(x_i) − y_i‖² + (nu/2)·‖f‖²
//
// for the weights of the space, or ones.
type Ridge struct {
	Y        compute.Matrix // n×k
	Iterates *Iterates

	space  *Space
	nu     float64
	gram   compute.Matrix // eᵀWe/n, all of it
	factor compute.Matrix // Cholesky factor of eᵀWe/n + nu·I
}

// NewRidge returns rkhs.ErrDiverged if nu is below rounding relative to the kernel.
func NewRidge(p *Space, y compute.Matrix, nu float64) (*Ridge, error) {
	q := p.Centres.Count()
	r := &Ridge{space: p, nu: nu, Y: y, gram: compute.NewMatrix(q, q)}
	compute.AddWeighedGram(r.gram, p.E, p.Weights, p.options.Workers)
	for i := range q {
		for j := i; j < q; j++ {
			v := r.gram.Data[i*q+j] / float64(p.X.Rows)
			r.gram.Data[i*q+j], r.gram.Data[j*q+i] = v, v
		}
	}
	r.factor = compute.Clone(r.gram)
	for i := range q {
		r.factor.Data[i*q+i] += nu
	}
	if !compute.Cholesky(r.factor, p.options.Workers) {
		return nil, fmt.Errorf("the ridge %v is lost beside the kernel: %w", nu, rkhs.ErrDiverged)
	}
	r.Iterates = NewIterates(p, y.Cols)
	return r, nil
}

// residual returns W(y − f)/n.
func (r *Ridge) residual(f compute.Matrix) compute.Matrix {
	g := compute.NewMatrix(r.space.X.Rows, r.Y.Cols)
	for i := range g.Data {
		g.Data[i] = (r.Y.Data[i] - f.Data[i]) / float64(r.space.X.Rows)
	}
	r.space.Weights.Scale(g)
	return g
}

// Solve returns the best φ for a residual part and the values of both at all rows:
//
//	(eᵀWe/n + nu·I)·φ = eᵀW(y − Z·A)/n − eᵀWe/n·known.
func (r *Ridge) Solve(residual Iterate) (phi, f compute.Matrix) {
	phi = r.space.Coordinates(r.residual(residual.values))
	known := compute.Clone(residual.known)
	blas64.Scal(-1, compute.Vector(known.Data))
	compute.MulNN(phi, r.gram, known, r.space.options.Workers)
	compute.SolveUpper(r.factor, phi, true, r.space.options.Workers)
	compute.SolveUpper(r.factor, phi, false, r.space.options.Workers)
	both := compute.Clone(phi)
	blas64.Axpy(-1, compute.Vector(known.Data), compute.Vector(both.Data))
	f = compute.Clone(residual.values)
	r.space.AddSpanned(f, both)
	return phi, f
}

// Step performs one step in the residual part.
func (r *Ridge) Step() {
	phi, f := r.Solve(r.Iterates.Now)
	g := r.residual(f)
	blas64.Scal(-1, compute.Vector(g.Data))
	blas64.Scal(-r.nu, compute.Vector(phi.Data)) // eᵀg after Solve
	rate := r.space.Rate(1, r.nu)
	r.Iterates.Step(g, phi, rate/(1+rate*r.nu*float64(r.Iterates.Steps)/1.5), r.nu)
}
