package polk

import (
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/kernel"
)

func (d *descent) encode(e *codec.Encoder) error {
	d.totals.encode(e)
	if err := d.from.encode(e); err != nil {
		return err
	}
	d.f.dictionary.encode(e)
	return nil
}

func decodeDescent(d *codec.Decoder, s *settings, inputs int) *descent {
	own := &descent{set: s, totals: decodeTotals(d), from: decodeDefaults(d)}
	if d.Err() != nil {
		return own
	}
	e := decodeDictionary(d, own.from, inputs, s.averaged())
	if d.Err() != nil {
		return own
	}
	e.eval.Workers = s.Workers
	own.f = newPursuit(e)
	return own
}

func (t *defaults) encode(e *codec.Encoder) error {
	for _, v := range []float64{t.ridge, t.gain, t.top, t.kappa} {
		e.Float64(v)
	}
	e.Float64s(t.intercept)
	return e.Nested(kernel.Marshal(t.kernel))
}

func decodeDefaults(d *codec.Decoder) *defaults {
	t := &defaults{ridge: d.Finite(), gain: d.Finite(), top: d.Finite(), kappa: d.Finite(), intercept: d.Float64s(), kernel: codec.Nested(d, kernel.Unmarshal)}
	if len(t.intercept) == 0 {
		t.intercept = nil
	}
	if !(t.kappa > 0 && t.kappa < outOfRange) || !(t.top >= 0) || !(t.gain >= 0) || !(t.ridge > 0 && t.ridge < outOfRange) {
		d.Fail("kappa = %v, lam_1 = %v, a = %v, lam = %v", t.kappa, t.top, t.gain, t.ridge)
	}
	return t
}
