package polk

import (
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/linalg"
)

func (m *metric) encode(e *codec.Encoder) {
	e.Matrix(m.sample)
	e.Matrix(m.fresh)
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
	m := &metric{sample: d.Matrix(), fresh: d.Matrix(), mu: d.Finite(), top: d.Finite(), kappa: d.Finite(), length: d.Finite()}
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
	for _, x := range []compute.Matrix{m.sample, m.fresh} {
		if err == nil {
			err = kernel.Check(from.kernel, x)
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
	return m.sample.Rows > 0 && m.fresh.Rows > 0 && m.sample.Cols == e.inputs && m.fresh.Cols == e.inputs && sized(len(m.cross), e.order(), m.sample.Rows)
}
