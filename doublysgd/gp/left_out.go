package gp

import (
	"context"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/centres"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/rng"
)

const (
	// mostLeftOut rows tell the quantile of level .9 to within .013 of its coverage.
	mostLeftOut = 512
	// fewestLeftOut rows tell more than a normal distribution does.
	fewestLeftOut = 10
)

// deviations are, for each output, the errors at rows left out one by one in units of their deviations,
// ascending.
type deviations [][]float64

// quantile returns the ⌈level·(n + 1)⌉-th smallest of n errors.
func (d deviations) quantile(output int, level float64) float64 {
	if len(d) == 0 {
		return normal(level)
	}
	errors := d[output]
	n := float64(len(errors))
	if place := int(math.Ceil(level*(n+1)*(1-1e-12))) - 1; place < len(errors) {
		return errors[max(0, place)]
	}
	return errors[len(errors)-1] * normal(level) / normal(n/(n+1))
}

// deviations returns those of the model, found at the first call.
func (m *Model) deviations() (deviations, error) {
	x := expansion.Points(m.f.sum)
	if m.constant.weights.Rows == 0 || x.Rows < fewestLeftOut {
		return nil, nil
	}
	space, err := m.space()
	if err != nil {
		return nil, err
	}
	m.solving.Lock()
	defer m.solving.Unlock()
	if m.solving.leftOut != nil {
		return m.solving.leftOut, nil
	}
	s := m.solverOn(context.Background(), space)
	defer s.monitor.Close()
	if err := s.options.checkMemory(x.Rows, 5*min(x.Rows, group)); err != nil {
		return nil, err
	}
	rows := rng.New(m.options.Seed, "gp rows left out", 0).Sample(x.Rows, min(x.Rows, mostLeftOut))
	precisions := s.precisions(rows)
	if err := s.why("intervals"); err != nil {
		return nil, err
	}
	m.solving.leftOut = m.standardised(rows, precisions, m.prior.times)
	return m.solving.leftOut, nil
}

// precisions returns P_ii of rows, for P = A⁻¹ − A⁻¹1·1ᵀA⁻¹/(1ᵀA⁻¹1), of which the second part is that of
// the constant: of A⁻¹ by solutions for unit vectors e_i, as reduce does for k(X, x*).
func (s *solver) precisions(rows []int) []float64 {
	var p []float64
	for list := range slices.Chunk(rows, group) {
		unit := compute.NewMatrix(s.rows.Rows, len(list))
		for j, i := range list {
			compute.Row(unit, i)[j] = 1
		}
		c := centres.NewConjugate(s.space.system, unit)
		found := func() []float64 {
			d, more := compute.ColumnDots(c.B, c.X), compute.ColumnDots(c.X, c.R)
			for j, i := range list {
				d[j] += more[j] - s.constant.square(i)
			}
			return d
		}
		s.solve(c, func() float64 {
			bound := 0.0
			for j, v := range found() {
				bound = max(bound, relativeBound(c.Rho[j], v, 0))
			}
			return bound
		})
		p = append(p, found()...)
	}
	return p
}

// standardised returns, for the weights α = P·y of the mean, the errors α_i/P_ii of rows left out in units of
// their deviations 1/√P_ii. Of rows of which others are copies all are left out: with the leverage h = 1 − N_i·P_ii and a
// multiplicity c the error is N_i·α_i/(1 − c·h), and the variance of f there N_i·h/(1 − c·h).
func (m *Model) standardised(rows []int, precisions, times []float64) deviations {
	list := make(deviations, len(m.prior.amplitude))
	alpha := m.f.sum.Weights.RawMatrix()
	for o, amplitude := range m.prior.amplitude {
		for j, i := range rows {
			e, variance := compute.Row(alpha, i)[o]/precisions[j], 1/precisions[j]
			if times != nil && times[i] != 1 {
				noise := m.prior.ratio / m.prior.weights.At(i)
				h := 1 - noise*precisions[j]
				left := max(leastLeft, 1-times[i]*h)
				e, variance = noise*compute.Row(alpha, i)[o]/left, noise+noise*h/left
			}
			e = m.f.units.Unit[o] * math.Abs(e) / math.Sqrt(amplitude*variance)
			if !compute.Finite(e) {
				e = 0 // of targets that are all the same
			}
			list[o] = append(list[o], e)
		}
		slices.Sort(list[o])
	}
	return list
}

// leastLeft is the least 1 − h of copies, where these are all that their residual hangs on.
const leastLeft = 0x1p-44
