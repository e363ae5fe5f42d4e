package ratio

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// problem is the objective as a function of the coefficients φ on the landmarks, for a given
// value of the random features part. The first above rows are from p, and later rows from q.
type problem struct {
	form    Form
	e       compute.Matrix  // landmark functions at all rows
	above   int             // number of rows from p
	weights compute.Weights // row weights, of mean one within each density
	nu      float64
	random  []float64 // random features part at all rows
	workers int
	stopped func() bool // or nil
}

// smallestDensity is the ratio below which the logarithm is continued linearly.
const smallestDensity = 0.1

// at returns the loss of row i at f and its derivatives, weighted and divided by the number
// of rows of its density. The linear part of the logarithm has second derivative zero, so
// Newton steps would be too long. There at returns a positive second derivative, for steps
// of about the distance to the end of the linear part.
func (p *problem) at(i int, f float64) (loss, first, second float64) {
	fromP := i < p.above
	n := float64(p.e.Rows - p.above)
	if fromP {
		n = float64(p.above)
	}
	n /= p.weights.At(i)
	switch {
	case p.form == Log && fromP:
		loss, first = -f, -1
	case p.form == Log:
		loss = compute.ExpOne(f)
		first, second = loss, loss
	case !fromP:
		loss, first = f, 1
	case f < smallestDensity:
		loss = -math.Log(smallestDensity) - (f-smallestDensity)/smallestDensity
		away := 2*smallestDensity - f
		first, second = -1/smallestDensity, 1/(away*away)
	default:
		loss, first, second = -math.Log(f), -1/f, 1/(f*f)
	}
	return loss / n, first / n, second / n
}

// values returns f at all rows.
func (p *problem) values(phi compute.Matrix) compute.Matrix {
	f := compute.NewMatrix(p.e.Rows, 1)
	copy(f.Data, p.random)
	compute.MulNN(f, p.e, phi, p.workers)
	return f
}

// objective returns the objective at f without the norm of the random features part.
func (p *problem) objective(phi, f compute.Matrix) float64 {
	sum := 0.0
	for i, v := range f.Data {
		loss, _, _ := p.at(i, v)
		sum += loss
	}
	norm := blas64.Nrm2(compute.Vector(phi.Data))
	return sum + p.nu/2*norm*norm
}

const (
	newtonSteps = 50
	newtonGain  = 1e-12 // relative gain at which Newton's method stops
)

// solve minimises over φ by Newton's method with step halving and returns f at the best φ.
// If the fit is stopped, it performs only one step.
func (p *problem) solve(phi compute.Matrix) (f compute.Matrix) {
	f = p.values(phi)
	now := p.objective(phi, f)
	for i := range newtonSteps {
		if i > 0 && p.stopped != nil && p.stopped() {
			return f
		}
		step, slope, ok := p.newton(phi, f)
		if !ok || !(slope > newtonGain*(1+math.Abs(now))) {
			return f
		}
		next, values, better := phi, f, false
		for size := 1.0; size > 1e-6 && !better; size /= 2 {
			next = compute.Clone(phi)
			blas64.Axpy(size, compute.Vector(step.Data), compute.Vector(next.Data))
			values = p.values(next)
			// The comparison is false for NaN, which an infinite exponential causes.
			if v := p.objective(next, values); v < now-1e-4*size*slope {
				now, better = v, true
			}
		}
		if !better {
			return f
		}
		copy(phi.Data, next.Data)
		f = values
	}
	return f
}

// newton returns the step −H⁻¹·gradient and the slope −stepᵀ·gradient.
func (p *problem) newton(phi, f compute.Matrix) (step compute.Matrix, slope float64, ok bool) {
	gradient := compute.Clone(phi)
	blas64.Scal(p.nu, compute.Vector(gradient.Data))
	first, _ := p.derivatives(f)
	compute.MulTN(gradient, p.e, first, p.workers)
	hessian := p.hessian(f)
	if !compute.Cholesky(hessian, p.workers) {
		return phi, 0, false
	}
	step = compute.Clone(gradient)
	compute.SolveUpper(hessian, step, true, p.workers)
	compute.SolveUpper(hessian, step, false, p.workers)
	blas64.Scal(-1, compute.Vector(step.Data))
	return step, -blas64.Dot(compute.Vector(step.Data), compute.Vector(gradient.Data)), true
}

// hessian returns the upper triangle of the Hessian of the objective at f. The loss of one
// density is linear and does not contribute.
func (p *problem) hessian(f compute.Matrix) compute.Matrix {
	from, to := 0, p.above
	if p.form == Log {
		from, to = p.above, f.Rows
	}
	weighted, h := compute.Clone(compute.Rows(p.e, from, to)), compute.NewMatrix(p.e.Cols, p.e.Cols)
	for i := range weighted.Rows {
		_, _, curve := p.at(from+i, f.Data[from+i])
		blas64.Scal(math.Sqrt(curve), compute.Vector(compute.Row(weighted, i)))
	}
	compute.AddGram(h, weighted, p.workers)
	for i := range h.Rows {
		h.Data[i*h.Stride+i] += p.nu
	}
	return h
}

// derivatives returns the derivatives of the loss at f, n×1, and the largest second
// derivative.
func (p *problem) derivatives(f compute.Matrix) (first compute.Matrix, curvature float64) {
	first = compute.NewMatrix(f.Rows, 1)
	for i, v := range f.Data {
		_, d, curve := p.at(i, v)
		first.Data[i] = d
		curvature = max(curvature, curve)
	}
	return first, curvature
}
