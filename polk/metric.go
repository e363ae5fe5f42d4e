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

// metric is the operator that steps are multiplied by,
//
//	P = mu·(C + mu)⁻¹ on the span of the dictionary, 1 on what is orthogonal to it,
//
// where C = (1/s)·Σ k(z_i, ·)⊗k(z_i, ·) is the second moment of a sample of s rows as far
// as the dictionary carries it. Directions in which the rows vary much are so damped to the
// variance mu of the others, and the steps may be as much longer (Ma and Belkin, "Diverging into
// diverging kernels: EigenPro", 2017, where the span is that of the sample).
//
// In weights on the dictionary, with A = K(D, Z)·K(Z, D)/s, P is mu·H⁻¹·K(D, D) for
// H = A + mu·K(D, D), of which the Cholesky factor is kept up to date.
type metric struct {
	sample compute.Points // Z, s×d
	fresh  compute.Points // rows of which the sample knows nothing, to measure P on
	mu     float64
	factor *linalg.Cholesky
	cross  []float64 // K(D, Z) by rows, which lie as the points of the dictionary do
	points int       // to which the dictionary may grow, or 0 where that is not known

	// lam_1 of P·C, and the means of k(x, ·)·P·k(x, ·) and of ‖P·k(x, ·)‖²
	top, kappa, length float64
	changes            int // points that came or went since these were measured

	h      compute.Matrix // K(X, D)·R⁻ᵀ of the rows of a step, for the factor R of H
	own    []float64      // k(x, ·)·P·k(x, ·) of these
	moment compute.Matrix // (R⁻¹·A·W)ᵀ, C×M
	space  metricSpace
}

// metricSpace is memory of what steps compute, one after the other.
type metricSpace struct {
	sample                 compute.Matrix // K(X, Z) of points X that come
	cross, gram, lies      compute.Matrix // of these, with the dictionary and with one another
	moved, damped, weights compute.Matrix // C×M
	scores                 compute.Matrix // of Z
	fresh, first, second   compute.Matrix // of fresh rows, with one another and with the dictionary
	carried                compute.Matrix // of these and Z
}

// leastDamping is mu in units of k(x, x) over the number of rows of the sample, or of the
// points that are allowed if these are fewer. Smaller eigenvalues of C are not known from so
// many rows, nor carried by so many points, and a step in their directions could be too long.
const leastDamping = 0.1

// newMetric returns the metric of an empty dictionary, which may grow to so many points.
func newMetric(rows compute.Points, kappa, ridge float64, points int) *metric {
	n := rows.Rows - rows.Rows/freshShare
	mu := max(leastDamping*kappa/float64(min(n, points)), ridge)
	return &metric{sample: rows.Between(0, n), fresh: rows.Between(n, rows.Rows), mu: mu, points: points,
		factor: linalg.NewCholesky(relativeJitter * mu * kappa)}
}

// freshShare is the divisor that gives the share of rows on which a metric is measured.
const freshShare = 5

// numbers returns how many numbers a metric holds for so many points.
func (m *metric) numbers(points int) float64 {
	if m == nil {
		return 0
	}
	s, p := float64(m.sample.Rows), float64(points)
	return s*(p+float64(m.sample.PerRow())) + p*p/2
}

// row returns K(d, Z) of the point in a slot.
func (m *metric) row(slot int) []float64 {
	s := m.sample.Rows
	return m.cross[slot*s : (slot+1)*s]
}

// rows returns K(D, Z) as it lies in memory.
func (m *metric) rows() compute.Matrix {
	s := m.sample.Rows
	return compute.Matrix{Rows: len(m.cross) / s, Cols: s, Stride: s, Data: m.cross}
}

// append adds points x to the factor, of which kd is K(X, D) and kk K(X, X).
func (m *metric) append(e *dictionary, x compute.Points, kd, kk compute.Matrix) {
	s := float64(m.sample.Rows)
	k := compute.Reshape(&m.space.sample, x.Rows, m.sample.Rows)
	e.eval.CrossOf(k, x, m.sample)
	cross, gram, lies := compute.Reshape(&m.space.cross, x.Rows, kd.Cols), compute.ReshapeZero(&m.space.gram, x.Rows, x.Rows), compute.ReshapeZero(&m.space.lies, kd.Cols, x.Rows)
	compute.MulNT(lies, m.rows(), k, e.eval.Workers) // K(D, Z) is long, and of few columns read where it lies
	compute.MulNT(gram, k, k, e.eval.Workers)
	for i := range x.Rows {
		to := compute.Row(cross, i)
		for j, slot := range e.slot {
			to[j] = compute.Row(lies, slot)[i]/s + float64(m.mu*compute.Row(kd, i)[j])
		}
		for j, v := range compute.Row(gram, i) {
			compute.Row(gram, i)[j] = v/s + float64(m.mu*compute.Row(kk, i)[j])
		}
	}
	m.grow(x.Rows)
	m.cross = append(m.cross, k.Data...)
	m.changes += x.Rows
	if m.factor.AppendBatch(cross, gram, 0, e.eval.Workers) {
		return
	}
	for i := range x.Rows {
		entry := make([]float64, m.factor.Len())
		copy(entry, compute.Row(cross, i))
		copy(entry[kd.Cols:], compute.Row(gram, i)[:i])
		if _, ok := m.factor.Append(entry, compute.Row(gram, i)[i], 0); !ok {
			// To working precision the others have it; taken for unrelated it is damped by itself.
			clear(entry)
			m.factor.Append(entry, compute.Row(gram, i)[i], 0)
		}
	}
}

// grow makes room for so many points more, and for twice as many as there are, but not for more than there
// may be.
func (m *metric) grow(more int) {
	s, n := m.sample.Rows, len(m.cross)
	if least := n + more*s; cap(m.cross) < least {
		m.cross = append(make([]float64, 0, max(least, min(2*n, (m.points+more)*s))), m.cross...)
	}
}

// forget lets go of all but what was measured, after which no step may be taken.
func (m *metric) forget() {
	m.factor, m.cross, m.h, m.moment, m.space = nil, nil, compute.Matrix{}, compute.Matrix{}, metricSpace{}
	m.sample, m.fresh = compute.Points{}, compute.Points{}
}

// remove drops a point, which the factor has no more and which lies in the slot hole; the last
// one takes its place.
func (m *metric) remove(hole, last int) {
	copy(m.row(hole), m.row(last))
	m.cross = m.cross[:last*m.sample.Rows]
	m.changes++
}

// prepare takes in K(X, D) of the rows of a step, before the weights change.
func (m *metric) prepare(e *dictionary, k compute.Matrix, workers int) {
	copy(compute.Reshape(&m.h, k.Rows, k.Cols).Data, k.Data)
	m.factor.ForwardRows(m.h, workers)
	m.moment = m.secondMoment(e, workers)
	m.factor.ForwardRows(m.moment, workers)
}

// measureRows sets own to k(x, ·)·P·k(x, ·) of each row of a step that was prepared, where v is
// K(X, D)·L⁻ᵀ and kk is K(X, X).
func (m *metric) measureRows(v, kk compute.Matrix) {
	m.own = compute.Resize(m.own, v.Rows)
	for i := range m.own {
		all := compute.Row(kk, i)[i]
		own := all - squaredNorm(compute.Row(v, i)) + float64(m.mu*squaredNorm(compute.Row(m.h, i)))
		m.own[i] = max(own, relativeAdmission*all, math.SmallestNonzeroFloat64)
	}
}

// correct moves the weights of the dictionary by what tells the step Σ w_i·P·k(x_i, ·) −
// eta·lam·P·f from Σ w_i·k(x_i, ·), where shrink is eta·lam, t is T of the rows, and these were prepared.
func (m *metric) correct(e *dictionary, w, t compute.Matrix, shrink float64) {
	c := e.outputs
	own, h := compute.ReshapeZero(&m.space.moved, c, e.order()), compute.ReshapeZero(&m.space.damped, c, e.order())
	weights := compute.Columns(w, 0, c)
	compute.MulTN(own, weights, t, e.eval.Workers)
	compute.MulTN(h, weights, m.h, e.eval.Workers)
	floats.Scale(m.mu, h.Data)
	floats.AddScaled(h.Data[:len(m.moment.Data)], shrink, m.moment.Data) // without outputs that came since
	m.factor.BackwardRows(h, e.eval.Workers)
	for j := range e.order() {
		to := e.weight(j)
		for o := range c {
			to[o] = float64((1-shrink)*to[o]) + compute.Row(h, o)[j] - compute.Row(own, o)[j]
		}
	}
}

// secondMoment returns the transpose of A·W, C×M.
func (m *metric) secondMoment(e *dictionary, workers int) compute.Matrix {
	c, s := e.outputs, m.sample.Rows
	w := compute.Reshape(&m.space.weights, e.order(), c)
	for j, slot := range e.slot {
		copy(compute.Row(w, slot), e.weight(j)[:c])
	}
	f := compute.ReshapeZero(&m.space.scores, s, c)
	compute.MulTN(f, m.rows(), w, workers)
	compute.Zero(w) // which is not wanted any more
	lies := w
	compute.MulNN(lies, m.rows(), f, workers)
	moment := compute.Reshape(&m.moment, c, e.order())
	for j, slot := range e.slot {
		for o, v := range compute.Row(lies, slot) {
			compute.Row(moment, o)[j] = v / float64(s)
		}
	}
	return moment
}

// measure computes top, kappa and length on the fresh rows, if a third of the dictionary has changed: it
// takes ten times as many rows as a step, and what it finds moves slowly.
func (m *metric) measure(e *dictionary) {
	const share = 3
	if m.changes == 0 || m.changes < e.order()/share {
		return
	}
	m.changes = 0
	n := m.fresh.Rows
	all := compute.Reshape(&m.space.fresh, 2*n, n)
	g, damped := compute.Rows(all, 0, n), compute.Rows(all, n, 2*n)
	k, h := compute.Reshape(&m.space.first, n, e.order()), compute.Reshape(&m.space.second, n, e.order())
	e.eval.GramOf(g, m.fresh)
	e.cross(k, m.fresh)
	copy(h.Data, k.Data)
	compute.Both(e.eval.Workers, func(workers int) {
		e.factor.ForwardRows(k, workers)
		floats.Scale(-1, g.Data)
		compute.MulNT(g, k, k, workers)
		floats.Scale(-1, g.Data)
	}, func(workers int) {
		m.factor.ForwardRows(h, workers)
		floats.Scale(math.Sqrt(m.mu), h.Data)
		compute.Zero(damped)
		compute.MulNT(damped, h, h, workers)
		m.factor.BackwardRows(h, workers)
	})
	shortened := m.shortened(e, h, k)
	floats.Add(g.Data, damped.Data)
	m.kappa = compute.Trace(g) / float64(n)
	m.top = topOf(g)
	m.length = max(m.kappa-shortened, 0)
}

// shortened returns by how much the mean of ‖P·k(x, ·)‖² is below that of k(x, ·)·P·k(x, ·)
// for rows x whose sqrt(mu)·K(X, D)·H⁻¹ is h; it overwrites lies, as large: with mu·K(D, D) = H − A it is
// mu/s times the mean of ‖K(Z, D)·H⁻¹·k(D, x)‖².
func (m *metric) shortened(e *dictionary, h, lies compute.Matrix) float64 {
	for i := range h.Rows {
		for j, slot := range e.slot {
			compute.Row(lies, i)[slot] = compute.Row(h, i)[j]
		}
	}
	v := compute.ReshapeZero(&m.space.carried, h.Rows, m.sample.Rows)
	compute.MulNN(v, lies, m.rows(), e.eval.Workers)
	return squaredNorm(v.Data) / float64(m.sample.Rows*h.Rows)
}

// topOf returns the largest eigenvalue of G/n by power iteration, to about a thousandth,
// from below.
func topOf(g compute.Matrix) float64 {
	const steps, enough = 100, 1e-4
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
		if lam == 0 || lam-before <= enough*lam {
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

// decodeMetric reads the metric of a dictionary.
func decodeMetric(d *codec.Decoder, e *dictionary, from *defaults) *metric {
	m := &metric{sample: d.Points(), fresh: d.Points(), mu: d.Finite(), top: d.Finite(), kappa: d.Finite(), length: d.Finite()}
	jitter := d.Finite()
	m.changes, m.cross = d.Int(), d.Float64s()
	rows := d.Float64s()
	if d.Err() != nil {
		return m
	}
	if !(m.mu > 0) || !(m.top >= 0) || !(m.kappa >= 0) || !(m.length >= 0) || m.changes < 0 || !m.fits(e) || beyond(m.cross) {
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

// fits reports whether the sizes are those of the dictionary.
func (m *metric) fits(e *dictionary) bool {
	return m.sample.Rows > 0 && m.fresh.Rows > 0 && m.sample.Cols == e.points.inputs && m.fresh.Cols == e.points.inputs && sized(len(m.cross), e.order(), m.sample.Rows)
}
