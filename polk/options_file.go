package polk

import (
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

func (s *settings) encode(e *codec.Encoder) error {
	if err := e.Nested(loss.Marshal(s.Loss)); err != nil {
		return err
	}
	e.Bool(s.Kernel != nil)
	if s.Kernel != nil {
		if err := e.Nested(kernel.Marshal(s.Kernel)); err != nil {
			return err
		}
	}
	for _, v := range []float64{s.Ridge, s.Rate, s.Budget, s.BudgetConstant} {
		e.Float64(v)
	}
	for _, v := range []int{int(s.Schedule), s.Horizon, s.MaxPoints, s.Batch, s.Warmup, int(s.MemoryLimit)} {
		e.Int(v)
	}
	e.Bool(s.Lossless)
	e.Bool(s.NoIntercept)
	e.Uint64(s.Seed)
	return nil
}

func decodeSettings(d *codec.Decoder, check func(*Options) (*settings, error)) *settings {
	o := Options{Loss: codec.Nested(d, loss.Unmarshal)}
	if d.Bool() {
		o.Kernel = codec.Nested(d, kernel.Unmarshal)
	}
	o.Ridge, o.Rate, o.Budget, o.BudgetConstant = d.Finite(), d.Finite(), d.Finite(), d.Finite()
	if o.Schedule = codec.Enum(d, Diminishing); o.Schedule == Automatic {
		d.Fail("the schedule is not chosen")
	}
	o.Horizon, o.MaxPoints, o.Batch, o.Warmup = d.Int(), d.Int(), d.Int(), d.Int()
	o.MemoryLimit, o.Lossless, o.NoIntercept, o.Seed = int64(d.Int()), d.Bool(), d.Bool(), d.Uint64()
	if d.Err() != nil {
		return new(settings)
	}
	s, err := check(&o)
	if err == nil {
		err = s.forStream()
	}
	if err != nil {
		d.Fail("%v", err)
	}
	return s
}
