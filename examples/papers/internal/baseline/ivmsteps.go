package baseline

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// refit fits all weights by Newton's method with step halving and returns the objective.
func (m *ivm) refit() (value float64, err error) {
	const steps, small = 50, 1e-12
	value = m.objective(m.f.weights)
	for range steps {
		g, err := m.newton()
		if err != nil {
			return 0, err
		}
		var step mat.VecDense
		if err := m.factor.SolveVecTo(&step, mat.NewVecDense(len(g), g)); err != nil && !errors.As(err, new(mat.Condition)) {
			return 0, err
		}
		slope := floats.Dot(g, step.RawVector().Data)
		next := m.search(step.RawVector().Data, value, slope)
		if value-next <= small*math.Abs(value) {
			return next, nil
		}
		value = next
	}
	return value, nil
}

// search updates the weights by −t·step for the first t = 1, ½, ¼, … with sufficient decrease. It
// keeps the weights if there is no such t.
func (m *ivm) search(step []float64, value, slope float64) float64 {
	old := append([]float64(nil), m.f.weights...)
	for t := 1.0; t > 1e-6; t /= 2 {
		floats.AddScaledTo(m.f.weights, old, -t, step)
		if next := m.objective(m.f.weights); next <= value-1e-4*t*slope {
			return next
		}
	}
	copy(m.f.weights, old)
	return m.objective(old)
}

// best returns the row of a random sample with the largest gain.
func (m *ivm) best() (row int, err error) {
	m.objective(m.f.weights)
	if _, err := m.newton(); err != nil {
		return 0, err
	}
	most := math.Inf(-1)
	for _, candidate := range m.random.Sample(len(m.class), min(ivmCandidates, len(m.class))) {
		if g := m.gain(candidate); g > most {
			row, most = candidate, g
		}
	}
	if most <= 0 {
		return 0, errors.New("baseline: no row is left to import")
	}
	return row, nil
}

// gain returns the decrease of the quadratic model after one Newton step with the row, ½·gᵀS⁻¹g. g
// is the gradient in the weights of the row; the other gradients are zero. S is the Schur
// complement of the Hessian. A duplicate of an imported row has gain 0.
func (m *ivm) gain(row int) float64 {
	const apart = 1e-6
	classes := m.f.outputs
	column := m.column(row)
	values := append([]float64(nil), m.f.row(m.x.RawRowView(row))...)
	g, side := make([]float64, classes), mat.NewDense(max(1, len(m.f.weights)), classes, nil)
	for j, v := range values {
		if v > 1-apart {
			return 0
		}
		floats.AddScaled(g, m.o.Lambda*v, m.f.weight(j))
		block := m.curvature(m.columns[j], column)
		for c := range classes {
			block.Set(c, c, block.At(c, c)+m.o.Lambda*v)
		}
		side.Slice(j*classes, (j+1)*classes, 0, classes).(*mat.Dense).Copy(block)
	}
	m.slope(g, column)
	return m.decrease(g, side, m.curvature(column, column), m.f.kernel.Kernel.Eval(m.x.RawRowView(row), m.x.RawRowView(row)))
}

// decrease returns ½·gᵀ(corner + Lambda·kappa·I − sideᵀ·H⁻¹·side)⁻¹g.
func (m *ivm) decrease(g []float64, side, corner *mat.Dense, kappa float64) float64 {
	if len(m.columns) > 0 {
		var solved, product mat.Dense
		if err := m.factor.SolveTo(&solved, side); err != nil && !errors.As(err, new(mat.Condition)) {
			return 0
		}
		product.Mul(side.T(), &solved)
		corner.Sub(corner, &product)
	}
	s := mat.NewSymDense(len(g), nil)
	for c := range g {
		for e := c; e < len(g); e++ {
			s.SetSym(c, e, (corner.At(c, e)+corner.At(e, c))/2+m.ridge(c, e, kappa))
		}
	}
	var factor mat.Cholesky
	if !factor.Factorize(s) {
		return 0
	}
	v, solved := mat.NewVecDense(len(g), g), new(mat.VecDense)
	if err := factor.SolveVecTo(solved, v); err != nil && !errors.As(err, new(mat.Condition)) {
		return 0
	}
	return mat.Dot(v, solved) / 2
}
