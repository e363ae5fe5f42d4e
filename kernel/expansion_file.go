package kernel

import (
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/door"
	"gonum.org/v1/gonum/mat"
)

var expansionFormat = codec.Register(codec.Format[Expansion]{Kind: "kernel expansion", Decode: decodeExpansion})

// MarshalBinary returns f as a file. It fails if the kernel cannot be written.
func (f Expansion) MarshalBinary() ([]byte, error) { return expansionFormat.Marshal(f.encode) }

// UnmarshalBinary replaces f by the function in data. On an error, which wraps
// rkhs.ErrFormat, f is left as it was.
func (f *Expansion) UnmarshalBinary(data []byte) error { return expansionFormat.Unmarshal(f, data) }

func (f Expansion) encode(e *codec.Encoder) error {
	if err := e.Nested(Marshal(f.Kernel)); err != nil {
		return err
	}
	e.Points(f.rows())
	e.Matrix(f.weights())
	return nil
}

// decodeExpansion fails unless the sizes fit together, all numbers are finite and the kernel accepts the points.
func decodeExpansion(d *codec.Decoder) Expansion {
	k, p, w := codec.Nested(d, Unmarshal), d.Points(), d.Matrix()
	if d.Err() != nil || p.Rows == 0 && p.Cols == 0 && w.Rows == 0 && w.Cols == 0 {
		return Expansion{Kernel: k}
	}
	if p.Rows < 1 || p.Cols < 1 || w.Rows != p.Rows || w.Cols < 1 {
		d.Fail("%d×%d points, %d×%d weights", p.Rows, p.Cols, w.Rows, w.Cols)
		return Expansion{}
	}
	if err := check(k, "x", p); err != nil {
		d.Fail("points: %v", err)
	}
	f := Expansion{Kernel: k, Points: door.Matrix(p), Weights: new(mat.Dense)}
	f.Weights.SetRawMatrix(w)
	return f
}
