package ridge

import (
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/centres"
	"github.com/rkhs-go/rkhs/internal/compute"
)

const (
	// slowRows is the number of rows up to which a factorisation, O(n³/3), replaces slow conjugate gradients.
	slowRows = 1 << 14
	// slowSteps and slowResidual are the iterations of conjugate gradients, and the part of the residual that they
	// leave, after which they count as slow: hundreds more would follow, each of which reads half of the matrix.
	slowSteps    = 8
	slowResidual = 0.1
)

// slowness ends conjugate gradients that a factorisation is faster than.
type slowness struct {
	factors bool // whether there is one
	ended   bool
}

// ends reports whether a solution with the given report is slow.
func (s *slowness) ends(r Report) bool {
	s.ended = s.factors && r.Iterations == slowSteps && largest(r.Residual) > slowResidual
	return s.ended
}

// factorisedHalf solves by a Cholesky factor in the memory of half of the matrix that s has kept, and leaves the last
// rows out one by one. It returns nil if it was stopped.
func (p *problem) factorisedHalf(s *centres.Regression) *solution {
	n := p.x.Rows
	f := s.FactoriseKept(func(done int) bool { return p.more("factor", done, n) })
	if f == nil {
		return nil
	}
	p.slow, p.noise, s.Noise = slowness{}, f.Noise, f.Noise
	s.SetInverse(f)
	found := p.iterate(s)
	if p.held == nil && !p.options.Uncalibrated {
		p.leaveLastOut(s, f, found.weights)
	}
	return found
}

// leaveLastOut is leaveOneOut for the last rows alone: the inverse of the last block of the factor is the last block
// of its inverse.
func (p *problem) leaveLastOut(s *centres.Regression, f *centres.Factor, weights compute.Matrix) {
	n := p.x.Rows
	m := min(n, calibrate.Enough)
	diag := f.LastInverseDiagonal(m)
	s.LessConstantOfLast(diag)
	last := *p
	last.x, last.y, last.weights, last.classes = p.x.Between(n-m, n), compute.Rows(p.y, n-m, n), nil, nil
	if p.weights != nil {
		last.weights = p.weights[n-m:]
	}
	if p.classes != nil {
		last.classes = p.classes[n-m:]
	}
	times := p.weights.Multiplicity(p.x.FirstCopies(p.y, p.classes))
	if times != nil {
		times = times[n-m:]
	}
	last.leftOut(diag, compute.Rows(weights, n-m, n), times)
	p.sample = last.sample
}
