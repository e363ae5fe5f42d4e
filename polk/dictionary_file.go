package polk

import (
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/linalg"
)

func (e *dictionary) encode(out *codec.Encoder) {
	out.Int(e.outputs)
	out.Ints(e.slot)
	e.points.encode(out)
	out.Float64s(e.weights)
	_, rows, diag := e.factor.State()
	out.Float64s(rows)
	out.Float64s(diag)
}

// decodeDictionary reads the function of a descent with the given defaults.
func decodeDictionary(d *codec.Decoder, from *defaults, inputs int, averaged bool) *dictionary {
	e := &dictionary{eval: gram.Evaluator{Kernel: from.kernel, Unblocked: true}, outputs: d.Int()}
	var rows, diag []float64
	e.slot, e.points = d.Ints(), decodePoints(d, inputs)
	e.weights, rows, diag = d.Float64s(), d.Float64s(), d.Float64s()
	if d.Err() != nil {
		return nil
	}
	e.width = e.outputs
	if averaged {
		e.width *= 2
	}
	if e.outputs < 1 || e.width < e.outputs || inputs < 1 || e.points.count() != e.order() || !sized(len(e.weights), e.order(), e.width) || !permutation(e.slot) {
		d.Fail("%d points of %d inputs and %d outputs, of which there are %d with %d weights", e.order(), inputs, e.outputs, e.points.count(), len(e.weights))
		return nil
	}
	factor, err := linalg.RestoreCholesky(relativeJitter*from.kappa, e.order(), rows, diag)
	if err == nil {
		err = gram.Check(from.kernel, e.points.matrix())
	}
	if err != nil {
		d.Fail("%v", err)
	}
	e.factor = factor
	return e
}

// sized reports whether n = a·b for a, b ≥ 0, where a·b may overflow.
func sized(n, a, b int) bool {
	if a == 0 {
		return n == 0
	}
	return n%a == 0 && n/a == b
}

// permutation reports whether list holds each of 0 … n−1.
func permutation(list []int) bool {
	seen := make([]bool, len(list))
	for _, i := range list {
		if i < 0 || i >= len(list) || seen[i] {
			return false
		}
		seen[i] = true
	}
	return true
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
