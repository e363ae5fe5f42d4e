package gp

import (
	"context"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/nystrom"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// leaveOneOutRows limits the leave-one-out errors. With 512 of them, the coverage of a .9
// interval has a standard error of .013.
const leaveOneOutRows = 512

// units returns intervals of the standardised leave-one-out errors, computed at the first
// call. They are unfitted without a constant and for few rows.
func (m *Model) units() (*calibrate.Intervals, error) {
	x := expansion.Points(m.f.sum)
	if m.constant.weights.Rows == 0 {
		return new(calibrate.Intervals), nil
	}
	space, err := m.space()
	if err != nil {
		return nil, err
	}
	m.solving.Lock()
	defer m.solving.Unlock()
	if m.solving.leaveOneOut != nil {
		return m.solving.leaveOneOut, nil
	}
	s := m.solverOn(context.Background(), space)
	defer s.monitor.Close()
	if err := s.options.checkMemory(x.Rows, 5*min(x.Rows, group)); err != nil {
		return nil, err
	}
	rows := rng.New(m.options.Seed, "gp rows left out", 0).Sample(x.Rows, min(x.Rows, leaveOneOutRows))
	if m.prior.times != nil {
		rows = compute.Distinct(rows, x.FirstCopies(compute.NewMatrix(x.Rows, 1), nil))
	}
	precisions := s.precisions(rows)
	if err := s.why("intervals"); err != nil {
		return nil, err
	}
	sample := calibrate.Sample{X: x.Pick(rows), Targets: m.standardised(rows, precisions)}
	sample.Scores = compute.NewMatrix(sample.Targets.Rows, sample.Targets.Cols)
	sample.At = compute.NewMatrix(sample.Targets.Rows, sample.Targets.Cols)
	if err := m.f.EvalTo(sample.At, sample.X); err != nil {
		return nil, err
	}
	found := calibrate.FitIntervals(sample)
	m.solving.leaveOneOut = &found
	return m.solving.leaveOneOut, nil
}

// precisions returns P_ii of the given rows, for P = A⁻¹ − A⁻¹1·1ᵀA⁻¹/(1ᵀA⁻¹1). It solves
// for unit vectors e_i, with the same error bound as reduce.
func (s *solver) precisions(rows []int) []float64 {
	var p []float64
	for list := range slices.Chunk(rows, group) {
		unit := compute.NewMatrix(s.rows.Rows, len(list))
		for j, i := range list {
			compute.Row(unit, i)[j] = 1
		}
		c := nystrom.NewConjugate(s.space.system, unit)
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

// standardised returns the leave-one-out errors α_i/P_ii, for α = P·y, divided by their
// standard deviations 1/√P_ii. The leave-one-out prediction of a row excludes all its
// copies. For leverage h = 1 − N_i·P_ii and multiplicity c, its error is
// N_i·α_i/(1 − c·h) and the variance of f is N_i·h/(1 − c·h).
func (m *Model) standardised(rows []int, precisions []float64) compute.Matrix {
	e, alpha := compute.NewMatrix(len(rows), len(m.prior.amplitude)), m.f.sum.Weights.RawMatrix()
	for j, i := range rows {
		factor, variance := 1/precisions[j], 1/precisions[j]
		if times := m.prior.times; times != nil && times[i] != 1 {
			noise := m.prior.ratio / m.prior.weights.At(i)
			h := 1 - float64(noise*precisions[j])
			left := max(leastLeft, 1-float64(times[i]*h))
			factor, variance = noise/left, noise+noise*h/left
		}
		for o, amplitude := range m.prior.amplitude {
			v := m.f.units.Unit[o] * compute.Row(alpha, i)[o] * factor / math.Sqrt(amplitude*variance)
			if compute.Finite(v) { // not finite if all targets are equal
				compute.Row(e, j)[o] = v
			}
		}
	}
	return e
}

// leastLeft is the lower limit of 1 − c·h: c·h rounds to 1 if copies determine their own
// fit.
const leastLeft = 0x1p-44
