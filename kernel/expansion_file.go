package kernel

import "github.com/rkhs-go/rkhs/internal/codec"

var expansionFormat = codec.Register(codec.Format[Expansion]{Kind: "kernel expansion", Versions: []func(*codec.Decoder) Expansion{DecodeExpansion}})

// MarshalBinary returns f as a file. It fails if the kernel cannot be written.
func (f Expansion) MarshalBinary() ([]byte, error) { return expansionFormat.Marshal(f.Encode) }

// UnmarshalBinary replaces f by the function in data. On an error, which wraps
// rkhs.ErrFormat, f is left as it was.
func (f *Expansion) UnmarshalBinary(data []byte) error { return expansionFormat.Unmarshal(f, data) }

// Encode writes f into the file of a model.
func (f Expansion) Encode(e *codec.Encoder) error {
	if err := e.Nested(Marshal(f.Kernel)); err != nil {
		return err
	}
	e.Points(f.Rows())
	e.Matrix(f.weights())
	return nil
}

// DecodeExpansion reads what Encode wrote. It fails unless the sizes fit together,
// all numbers are finite and the kernel accepts the points; the caller asks Fits for
// the sizes of the model.
func DecodeExpansion(d *codec.Decoder) Expansion {
	k, p, w := codec.Nested(d, Unmarshal), d.Points(), d.Matrix()
	if d.Err() != nil || p.Rows == 0 && p.Cols == 0 && w.Rows == 0 && w.Cols == 0 {
		return Expansion{Kernel: k}
	}
	if p.Rows < 1 || p.Cols < 1 || w.Rows != p.Rows || w.Cols < 1 {
		d.Fail("%d×%d points, %d×%d weights", p.Rows, p.Cols, w.Rows, w.Cols)
		return Expansion{}
	}
	if err := CheckPoints(k, p); err != nil {
		d.Fail("points: %v", err)
	}
	return ExpansionOf(k, p, w)
}
