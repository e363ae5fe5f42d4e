package calibrate

import (
	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
)

func encodeReport(e *codec.Encoder, r rkhs.Calibration) {
	e.String(r.Method)
	e.Int(r.Rows)
	e.Float64(r.LogLoss)
	e.Float64s(r.Coverage)
	e.Float64s(r.Width)
}

func decodeReport(d *codec.Decoder) rkhs.Calibration {
	r := rkhs.Calibration{Method: d.String(), Rows: d.Int(), LogLoss: d.Float64()}
	for _, list := range []*[]float64{&r.Coverage, &r.Width} {
		if v := d.Float64s(); len(v) > 0 {
			*list = v
		}
	}
	return r
}
