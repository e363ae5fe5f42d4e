package polk

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/linalg"
)

// metric is the operator that multiplies the steps,
//
//	P = mu·(C + mu)⁻¹ on the span of the dictionary, 1 on its orthogonal complement,
//
// for the second moment C = (1/s)·Σ k(z_i, ·)⊗k(z_i, ·) of a sample of s rows, projected onto
// the span. P damps directions of large variance to mu, so steps can be larger (Ma and Belkin,
// "Diving into the shallows", 2017, use the span of the sample).
//
// On weights, P is mu·H⁻¹·K(D, D) for H = A + mu·K(D, D) and A = K(D, Z)·K(Z, D)/s. The
// Cholesky factor of H is updated with the dictionary.
type metric struct {
	sample compute.Points // Z, s×d
	fresh  compute.Points // rows outside of the sample, to measure P
	mu     float64
	factor *linalg.Cholesky
	cross  []float64 // K(D, Z) by rows, in the order of the slots
	points int       // maximum size of the dictionary, or 0 if unknown

	// lam_1 of P·C, and the means of k(x, ·)·P·k(x, ·) and ‖P·k(x, ·)‖²
	top, kappa, length float64
	changes            int // points added or removed since these were measured

	h      compute.Matrix // K(X, D)·R⁻ᵀ of the rows of a step, for the factor R of H
	own    []float64      // k(x, ·)·P·k(x, ·) of these rows
	moment compute.Matrix // (R⁻¹·A·W)ᵀ, C×M
}

const (
	// leastDamping is mu·s/k(x, x), where s is at most the number of points. Neither so few
	// rows nor so few points determine smaller eigenvalues of C.
	leastDamping = 0.1
	// freshShare is the divisor that gives the share of fresh rows.
	freshShare = 5
)

// newMetric returns the metric of an empty dictionary with at most the given number of points.
func newMetric(rows compute.Points, kappa, ridge float64, points int) *metric {
	n := rows.Rows - rows.Rows/freshShare
	mu := max(leastDamping*kappa/float64(min(n, points)), ridge)
	return &metric{sample: rows.Between(0, n), fresh: rows.Between(n, rows.Rows), mu: mu, points: points,
		factor: linalg.NewCholesky(relativeJitter * mu * kappa)}
}

// numbers returns the number of elements of a metric for the given number of points.
func (m *metric) numbers(points int) float64 {
	if m == nil {
		return 0
	}
	s, p := float64(m.sample.Rows), float64(points)
	return s*(p+float64(m.sample.PerRow())) + p*p/2
}

// rows returns K(D, Z) in the order of the slots.
func (m *metric) rows() compute.Matrix {
	s := m.sample.Rows
	return compute.Matrix{Rows: len(m.cross) / s, Cols: s, Stride: s, Data: m.cross}
}

// append adds points x, given K(X, D) and K(X, X).
func (m *metric) append(e *dictionary, x compute.Points, kd, kk compute.Matrix) {
	s, q := float64(m.sample.Rows), x.Rows
	k, free := compute.Allocate(q, m.sample.Rows)
	defer free()
	e.eval.CrossOf(k, x, m.sample)
	bySlot, free := compute.Allocate(kd.Cols, q)
	defer free()
	compute.Zero(bySlot)
	cross, gram := compute.NewMatrix(q, kd.Cols), compute.NewMatrix(q, q)
	compute.MulNT(bySlot, m.rows(), k, e.eval.Workers)
	compute.MulNT(gram, k, k, e.eval.Workers)
	for i := range q {
		to := compute.Row(cross, i)
		for j, slot := range e.slot {
			to[j] = compute.Row(bySlot, slot)[i]/s + float64(m.mu*compute.Row(kd, i)[j])
		}
		for j, v := range compute.Row(gram, i) {
			compute.Row(gram, i)[j] = v/s + float64(m.mu*compute.Row(kk, i)[j])
		}
	}
	m.grow(q)
	m.cross = append(m.cross, k.Data...)
	m.changes += q
	if !m.factor.AppendBatch(compute.Dense(cross), compute.Dense(gram), 0, e.eval.Workers) {
		m.appendSingly(cross, gram)
	}
}

// appendSingly adds points to the factor one by one. It treats a point in the span of the other
// points, to working precision, as orthogonal to them.
func (m *metric) appendSingly(cross, gram compute.Matrix) {
	for i := range gram.Rows {
		entry := make([]float64, m.factor.Len())
		copy(entry, compute.Row(cross, i))
		copy(entry[cross.Cols:], compute.Row(gram, i)[:i])
		if _, ok := m.factor.Append(entry, compute.Row(gram, i)[i], 0); !ok {
			clear(entry)
			m.factor.Append(entry, compute.Row(gram, i)[i], 0)
		}
	}
}

// grow doubles the capacity of cross if more points need it, up to the maximum.
func (m *metric) grow(more int) {
	s, n := m.sample.Rows, len(m.cross)
	if least := n + more*s; cap(m.cross) < least {
		m.cross = append(make([]float64, 0, max(least, min(2*n, (m.points+more)*s))), m.cross...)
	}
}

// remove drops the point in slot hole, which has left the factor, and moves the last one there.
func (m *metric) remove(hole, last int) {
	rows := m.rows()
	copy(compute.Row(rows, hole), compute.Row(rows, last))
	m.cross = m.cross[:last*m.sample.Rows]
	m.changes++
}

// prepare stores the terms of a step that depend on K(X, D) and the current weights.
func (m *metric) prepare(e *dictionary, k compute.Matrix, workers int) {
	copy(compute.Reshape(&m.h, k.Rows, k.Cols).Data, k.Data)
	m.factor.ForwardRows(compute.Dense(m.h), workers)
	m.moment = m.secondMoment(e, workers)
	m.factor.ForwardRows(compute.Dense(m.moment), workers)
}

// measureRows sets own to k(x, ·)·P·k(x, ·) of each prepared row, given v = K(X, D)·L⁻ᵀ and
// kk = K(X, X).
func (m *metric) measureRows(v, kk compute.Matrix) {
	m.own = compute.Resize(m.own, v.Rows)
	for i := range m.own {
		all := compute.Row(kk, i)[i]
		own := all - squaredNorm(compute.Row(v, i)) + float64(m.mu*squaredNorm(compute.Row(m.h, i)))
		m.own[i] = max(own, relativeAdmission*all, math.SmallestNonzeroFloat64)
	}
}

// correct adds the difference between the step Σ w_i·P·k(x_i, ·) − eta·lam·P·f and the plain
// Σ w_i·k(x_i, ·) to the weights, where shrink is eta·lam and t is T of the prepared rows.
func (m *metric) correct(e *dictionary, w, t compute.Matrix, shrink float64) {
	c := e.outputs
	own, h := compute.NewMatrix(c, e.order()), compute.NewMatrix(c, e.order())
	weights := compute.Columns(w, 0, c)
	compute.MulTN(own, weights, t, e.eval.Workers)
	compute.MulTN(h, weights, m.h, e.eval.Workers)
	floats.Scale(m.mu, h.Data)
	floats.AddScaled(h.Data[:len(m.moment.Data)], shrink, m.moment.Data) // without new outputs
	m.factor.BackwardRows(compute.Dense(h), e.eval.Workers)
	for j := range e.order() {
		to := e.weight(j)
		for o := range c {
			to[o] = float64((1-shrink)*to[o]) + compute.Row(h, o)[j] - compute.Row(own, o)[j]
		}
	}
}

// secondMoment returns (A·W)ᵀ, C×M.
func (m *metric) secondMoment(e *dictionary, workers int) compute.Matrix {
	c, s := e.outputs, m.sample.Rows
	w, f, product := compute.NewMatrix(e.order(), c), compute.NewMatrix(s, c), compute.NewMatrix(e.order(), c)
	for j, slot := range e.slot {
		copy(compute.Row(w, slot), e.weight(j)[:c])
	}
	compute.MulTN(f, m.rows(), w, workers)
	compute.MulNN(product, m.rows(), f, workers)
	moment := compute.Reshape(&m.moment, c, e.order())
	for j, slot := range e.slot {
		for o, v := range compute.Row(product, slot) {
			compute.Row(moment, o)[j] = v / float64(s)
		}
	}
	return moment
}

// measure updates top, kappa and length once a third of the dictionary has changed. It costs as
// much as several steps, and the values change slowly.
func (m *metric) measure(e *dictionary) {
	const share = 3
	if m.changes == 0 || m.changes < e.order()/share {
		return
	}
	m.changes = 0
	n := m.fresh.Rows
	g, damped := compute.NewMatrix(n, n), compute.NewMatrix(n, n)
	k, free := compute.Allocate(n, e.order())
	defer free()
	e.eval.GramOf(g, m.fresh)
	e.cross(k, m.fresh)
	h := compute.Clone(k)
	compute.Both(e.eval.Workers, func(workers int) {
		e.factor.ForwardRows(compute.Dense(k), workers)
		floats.Scale(-1, g.Data)
		compute.MulNT(g, k, k, workers)
		floats.Scale(-1, g.Data)
	}, func(workers int) {
		m.factor.ForwardRows(compute.Dense(h), workers)
		floats.Scale(math.Sqrt(m.mu), h.Data)
		compute.MulNT(damped, h, h, workers)
		m.factor.BackwardRows(compute.Dense(h), workers)
	})
	floats.Add(g.Data, damped.Data)
	m.kappa = compute.Trace(g) / float64(n)
	m.top = topOf(g)
	m.length = max(m.kappa-m.shortened(e, h), 0)
}

// shortened returns the mean of k(x, ·)·P·k(x, ·) − ‖P·k(x, ·)‖² for h = sqrt(mu)·K(X, D)·H⁻¹.
// As mu·K(D, D) = H − A, it is mu/s times the mean of ‖K(Z, D)·H⁻¹·k(D, x)‖².
func (m *metric) shortened(e *dictionary, h compute.Matrix) float64 {
	bySlot, free := compute.Allocate(h.Rows, h.Cols)
	defer free()
	v, free := compute.Allocate(h.Rows, m.sample.Rows)
	defer free()
	compute.Zero(bySlot)
	compute.Zero(v)
	for i := range h.Rows {
		for j, slot := range e.slot {
			compute.Row(bySlot, i)[slot] = compute.Row(h, i)[j]
		}
	}
	compute.MulNN(v, bySlot, m.rows(), e.eval.Workers)
	return squaredNorm(v.Data) / float64(m.sample.Rows*h.Rows)
}

// topOf returns the largest eigenvalue of G/n by power iteration, from below, to about 1e-3.
func topOf(g compute.Matrix) float64 {
	const steps, tolerance = 100, 1e-4
	n := g.Rows
	v, gv := make([]float64, n), make([]float64, n)
	for i := range v {
		v[i] = 1 / math.Sqrt(float64(n))
	}
	lam := 0.0
	for range steps {
		blas64.Gemv(blas.NoTrans, 1, g, compute.Vector(v), 0, compute.Vector(gv))
		before := lam
		lam = floats.Norm(gv, 2)
		if lam == 0 || lam-before <= tolerance*lam {
			break
		}
		floats.ScaleTo(v, 1/lam, gv)
	}
	return lam / float64(n)
}

func (m *metric) encode(e *codec.Encoder) {
	e.Points(m.sample)
	e.Points(m.fresh)
	for _, v := range []float64{m.mu, m.top, m.kappa, m.length, m.factor.Jitter()} {
		e.Float64(v)
	}
	e.Int(m.changes)
	e.Float64s(m.cross)
	_, rows, _ := m.factor.State()
	e.Float64s(rows)
}

func decodeMetric(d *codec.Decoder, e *dictionary, from *defaults) *metric {
	m := &metric{sample: d.Points(), fresh: d.Points(), mu: d.Finite(), top: d.Finite(), kappa: d.Finite(), length: d.Finite()}
	jitter := d.Finite()
	m.changes, m.cross = d.Int(), d.Float64s()
	rows := d.Float64s()
	if d.Err() != nil {
		return m
	}
	if !(m.mu > 0) || !(m.top >= 0) || !(m.kappa >= 0) || !(m.length >= 0) || m.changes < 0 || !m.fits(e) || exceeds(m.cross) {
		d.Fail("a metric of %d and %d rows with %d values for %d points", m.sample.Rows, m.fresh.Rows, len(m.cross), e.order())
		return m
	}
	factor, err := linalg.RestoreCholesky(jitter, e.order(), rows, nil)
	for _, x := range []compute.Points{m.sample, m.fresh} {
		if err == nil {
			err = gram.Check(from.kernel, x)
		}
	}
	if err != nil {
		d.Fail("%v", err)
	}
	m.factor = factor
	return m
}

// fits reports whether the sizes agree with the dictionary.
func (m *metric) fits(e *dictionary) bool {
	for _, x := range []compute.Points{m.sample, m.fresh} {
		if x.Rows < 1 || x.Cols != e.points.inputs {
			return false
		}
	}
	return sized(len(m.cross), e.order(), m.sample.Rows)
}
