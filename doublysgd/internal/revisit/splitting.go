package revisit

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// splitting minimises losses with kinks by steps of the squared loss: the alternating direction
// method of multipliers on
//
//	Σ_i l(z_i, y_i) + (lam/2)·‖A‖²,   f(x_i) = z_i,
//
// with scaled multipliers u and penalty (rho/2)·‖f − z + u‖². A pass over the blocks is the step in
// f, followed by
//
//	z = argmin Σ l(z) + (rho/2)·‖z − f − u‖²,   u += f − z
//
// (Boyd, Parikh, Chu, Peleato and Eckstein, "Distributed optimization and statistical learning via
// the alternating direction method of multipliers", 2011).
type splitting struct {
	risk *descent.Risk
	rho  float64
	z, u compute.Matrix

	passes       int
	primal, dual float64 // norms of f − z and of the last change of z times rho
}

const (
	overRelaxation = 1.6
	// The first passes double or halve rho while the residuals differ by more than this factor. Later
	// passes do not change rho, because convergence requires it.
	unbalanced   = 4
	tuningPasses = 60
)

// newSplitting returns the splitting of n rows and q outputs, without any row included.
func newSplitting(risk *descent.Risk, n, q int) *splitting {
	return &splitting{risk: risk, rho: 1, z: compute.NewMatrix(n, q), u: compute.NewMatrix(n, q)}
}

// include adds rows [from, to). Their multipliers result from one step from zero.
func (s *splitting) include(f compute.Matrix, from, to int) {
	for i := from; i < to; i++ {
		for o, y := range compute.Row(s.risk.Y, i) {
			v := compute.Row(f, i)[o]
			z := s.proximal(s.risk.Of(o), v, y)
			compute.Row(s.z, i)[o], compute.Row(s.u, i)[o] = z, v-z
		}
	}
}

// residual sets r = z − u − f.
func (s *splitting) residual(r, f compute.Matrix) {
	for i, v := range f.Data {
		r.Data[i] = s.z.Data[i] - s.u.Data[i] - v
	}
}

// advance performs the steps in z and u at rows [0, n).
func (s *splitting) advance(f compute.Matrix, n int) {
	parts := make([][2]float64, (n+descent.RiskRows-1)/descent.RiskRows)
	compute.Parallel(len(parts), s.risk.Workers, func(p int) {
		for i := p * descent.RiskRows; i < min((p+1)*descent.RiskRows, n); i++ {
			for o, y := range compute.Row(s.risk.Y, i) {
				gap, change := s.step(s.risk.Of(o), &compute.Row(s.z, i)[o], &compute.Row(s.u, i)[o], compute.Row(f, i)[o], y)
				parts[p][0] += gap * gap
				parts[p][1] += change * change
			}
		}
	})
	var primal, dual float64
	for _, p := range parts {
		primal += p[0]
		dual += p[1]
	}
	s.primal, s.dual = math.Sqrt(primal), s.rho*math.Sqrt(dual)
	s.passes++
	s.balance()
}

// step performs the steps of one row and output and returns f − z and the change of z.
func (s *splitting) step(l loss.Scalar, z, u *float64, f, y float64) (gap, change float64) {
	v := overRelaxation*f + (1-overRelaxation)**z + *u
	next := s.proximal(l, v, y)
	change = next - *z
	*z, *u = next, v-next
	return f - next, change
}

// error returns the larger relative residual: ‖f − z‖ relative to ‖z‖, and the change of z relative
// to the multipliers.
func (s *splitting) error() float64 {
	e := relative(s.primal, blas64.Nrm2(compute.Vector(s.z.Data)))
	return max(e, relative(s.dual, s.rho*blas64.Nrm2(compute.Vector(s.u.Data))))
}

func relative(v, scale float64) float64 {
	if v == 0 {
		return 0
	}
	return v / scale
}

// balance adapts rho and rescales the multipliers.
func (s *splitting) balance() {
	factor := 1.0
	if s.primal > unbalanced*s.dual {
		factor = 2
	} else if s.dual > unbalanced*s.primal {
		factor = 0.5
	}
	if factor == 1 || s.passes > tuningPasses || s.rho*factor > 1e6 || s.rho*factor < 1e-6 {
		return
	}
	s.rho *= factor
	for i := range s.u.Data {
		s.u.Data[i] /= factor
	}
}

// proximal returns argmin_z l(z, y) + (rho/2)·(z − v)²: the zero of the increasing function rho·(z −
// v) + l'(z, y), within v ± |l'|/rho.
func (s *splitting) proximal(l loss.Scalar, v, y float64) float64 {
	g := l.Derivative(v, y)
	if g == 0 {
		return v
	}
	// l' does not change its sign between v and the minimum, nor grow.
	far, near := v-g/s.rho, v
	for range 60 {
		mid := near + (far-near)/2
		if mid == near || mid == far {
			break
		}
		if h := s.rho*(mid-v) + l.Derivative(mid, y); h > 0 == (g > 0) {
			near = mid
		} else {
			far = mid
		}
	}
	return far
}
