package choose

import (
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/kernel"
)

// EncodeChoice writes a choice; DecodeChoice reads it.
func EncodeChoice(e *codec.Encoder, c kernel.Choice) error {
	e.Bool(c.Kernel != nil)
	if c.Kernel == nil {
		return nil
	}
	e.Bool(c.Stopped)
	e.Int(len(c.Curve))
	for _, t := range append([]kernel.Trial{c.Trial, c.Exact}, c.Curve...) {
		if err := e.Nested(kernel.Marshal(t.Kernel)); err != nil {
			return err
		}
		e.Int(t.Rows)
		for _, v := range []float64{t.Noise, t.Error, t.StandardError, t.Wrong} {
			e.Float64(v)
		}
		e.Bool(t.AtEdge)
	}
	return nil
}

// DecodeChoice reads what EncodeChoice wrote.
func DecodeChoice(d *codec.Decoder) kernel.Choice {
	if !d.Bool() {
		return kernel.Choice{}
	}
	c := kernel.Choice{Stopped: d.Bool()}
	curve := d.Count(trialBytes)
	c.Trial, c.Exact = decodeTrial(d), decodeTrial(d)
	for range curve {
		c.Curve = append(c.Curve, decodeTrial(d))
	}
	return c
}

// trialBytes is less than what a trial takes in a file.
const trialBytes = 49

func decodeTrial(d *codec.Decoder) kernel.Trial {
	return kernel.Trial{Kernel: codec.Nested(d, kernel.Unmarshal), Rows: d.Int(),
		Noise: d.Float64(), Error: d.Float64(), StandardError: d.Float64(), Wrong: d.Float64(), AtEdge: d.Bool()}
}
