package polk

import (
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/kernel"
)

func (d *descent) encode(e *codec.Encoder) error {
	d.totals.encode(e)
	if err := d.from.encode(e); err != nil {
		return err
	}
	e.Float64s(d.b.own)
	e.Float64s(d.b.averaged)
	e.Float64s(d.clip.scale)
	d.f.dictionary.encode(e)
	e.Bool(d.f.metric != nil)
	if d.f.metric != nil {
		d.f.metric.encode(e)
	}
	return nil
}

func decodeDescent(d *codec.Decoder, s *settings, inputs int) *descent {
	own := &descent{set: s, totals: decodeTotals(d), from: decodeDefaults(d)}
	own.b = constant{own: d.Float64s(), averaged: d.Float64s()}
	own.clip.scale = d.Float64s()
	if d.Err() != nil {
		return own
	}
	e := decodeDictionary(d, own.from, inputs, s.averaged())
	if d.Err() != nil {
		return own
	}
	e.eval.Workers = s.Workers
	if d.Bool() {
		e.metric = decodeMetric(d, e, own.from)
	}
	own.checkConstant(d, e.outputs)
	own.f = newPursuit(e)
	return own
}

// checkConstant refuses constants and scales that do not fit so many outputs.
func (d *descent) checkConstant(from *codec.Decoder, outputs int) {
	if !d.set.averaged() {
		d.b.averaged = nil
	}
	if len(d.b.own) != outputs || d.set.averaged() && len(d.b.averaged) != outputs || len(d.clip.scale) != 0 && len(d.clip.scale) != outputs {
		from.Fail("%d and %d constants and %d scales for %d outputs", len(d.b.own), len(d.b.averaged), len(d.clip.scale), outputs)
	}
	if beyond(d.b.own) || beyond(d.b.averaged) || beyond(d.clip.scale) {
		from.Fail("constants %v and %v, scales %v", d.b.own, d.b.averaged, d.clip.scale)
	}
}

func (t *defaults) encode(e *codec.Encoder) error {
	for _, v := range []float64{t.ridge, t.gain, t.top, t.kappa, t.noise, t.constant} {
		e.Float64(v)
	}
	if err := choose.EncodeChoice(e, t.choice); err != nil {
		return err
	}
	return e.Nested(kernel.Marshal(t.kernel))
}

func decodeDefaults(d *codec.Decoder) *defaults {
	t := &defaults{ridge: d.Finite(), gain: d.Finite(), top: d.Finite(), kappa: d.Finite()}
	t.noise, t.constant, t.choice = d.Finite(), d.Finite(), choose.DecodeChoice(d)
	t.kernel = codec.Nested(d, kernel.Unmarshal)
	if !(t.kappa > 0 && t.kappa < outOfRange) || !(t.top >= 0) || !(t.gain >= 0) || !(t.ridge > 0 && t.ridge < outOfRange) || !(t.noise >= 0) || !(t.constant >= 0) {
		d.Fail("kappa = %v, lam_1 = %v, a = %v, lam = %v, noise %v, step of the constant %v", t.kappa, t.top, t.gain, t.ridge, t.noise, t.constant)
	}
	return t
}
