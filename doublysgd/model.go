package doublysgd

import (
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/kernel"
)

// Model is a fitted function
//
//	f(x) = offset + unit·(Σ_b phi_b(x)·A_b + k(x, C)·β)
//
// of d inputs and q outputs, of which Preconditioned mode alone has centres C. It is
// immutable and safe for concurrent use. Its file holds the kernel, the seed of the
// features and the coefficients, so that the size does not depend on d but for the
// centres.
type Model struct {
	*composite
	u      units
	report Report
}

// check returns rkhs.ErrDiverged if a coefficient is not a finite number.
func (m *Model) check() error {
	for o, v := range m.u.offset {
		if !finite(v) || !finite(m.u.unit[o]) {
			return fmt.Errorf("doublysgd: targets have the median %v and the unit %v: %w", v, m.u.unit[o], rkhs.ErrDiverged)
		}
	}
	return m.composite.check()
}

// Dims returns the number of inputs d and of outputs q.
func (m *Model) Dims() (inputs, outputs int) { return m.e.m.Dim(), m.e.outputs }

// Seed returns the seed of the features.
func (m *Model) Seed() uint64 { return m.e.options.Seed }

// Kernel returns the kernel.
func (m *Model) Kernel() kernel.Kernel { return m.e.m.Kernel() }

// Report says how the model was found.
func (m *Model) Report() Report { return m.report }

// Units returns the offset and the unit of each output, which were found from
// the targets.
func (m *Model) Units() (offset, unit []float64) {
	return slices.Clone(m.u.offset), slices.Clone(m.u.unit)
}

// Predict returns f(x), n×q for n rows. O(n·D·(d + q)) for D features and centres.
func (m *Model) Predict(x mat.Matrix) (*mat.Dense, error) {
	var dst mat.Dense
	if err := m.PredictTo(&dst, x); err != nil {
		return nil, err
	}
	return &dst, nil
}

// PredictTo stores f(x) in dst, which must be n×q or empty. Errors wrap
// rkhs.ErrShape, rkhs.ErrEmpty, rkhs.ErrNotFinite and rkhs.ErrDomain.
func (m *Model) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	f, err := m.predict(x)
	if err != nil {
		return err
	}
	return store(dst, f)
}

// predict returns f(x) for rows that have not passed the door.
func (m *Model) predict(x mat.Matrix) (compute.Matrix, error) {
	f, err := m.composite.predict(x)
	if err != nil {
		return f, err
	}
	m.u.restore(f)
	return f, nil
}

func store(dst *mat.Dense, f compute.Matrix) error { return door.Store("doublysgd", dst, f) }

var modelFormat = codec.Format[Model]{Kind: "doublysgd model", Versions: []func(*codec.Decoder) Model{decodeModel}}

// MarshalBinary returns the model as a file. It fails if the kernel cannot be
// written.
func (m *Model) MarshalBinary() ([]byte, error) { return modelFormat.Marshal(m.encode) }

// UnmarshalBinary replaces m by the model in data. On an error, which wraps
// rkhs.ErrFormat, m is left as it was.
func (m *Model) UnmarshalBinary(data []byte) error {
	return modelFormat.Unmarshal(m, data)
}

// WriteTo writes the model to w.
func (m *Model) WriteTo(w io.Writer) (int64, error) { return codec.Write(w, m) }

// ReadFrom replaces m by the model that r holds next, and reads no further. On
// an error m is left as it was.
func (m *Model) ReadFrom(r io.Reader) (int64, error) {
	return modelFormat.Read(m, r)
}

func (m *Model) encode(c *codec.Encoder) error {
	c.Float64s(m.u.offset)
	c.Float64s(m.u.unit)
	m.report.encode(c)
	return m.composite.encode(c)
}

func decodeModel(d *codec.Decoder) Model {
	m := Model{u: decodeUnits(d), report: decodeReport(d), composite: decodeComposite(d)}
	if d.Err() == nil && len(m.u.offset) != m.e.outputs {
		d.Fail("%d units for %d outputs", len(m.u.offset), m.e.outputs)
	}
	return m
}

func decodeUnits(d *codec.Decoder) units {
	u := units{d.Float64s(), d.Float64s()}
	if len(u.offset) != len(u.unit) {
		d.Fail("%d offsets and %d units", len(u.offset), len(u.unit))
	}
	return u
}

func (r *Report) encode(c *codec.Encoder) {
	c.Int(int(r.Mode))
	c.Int(int(r.Status))
	for _, v := range r.counts() {
		c.Int(*v)
	}
	for _, v := range r.numbers() {
		c.Float64(*v)
	}
}

func decodeReport(d *codec.Decoder) Report {
	r := Report{Mode: Mode(smallInt(d)), Status: rkhs.Status(smallInt(d))}
	if r.Mode > Preconditioned || r.Status > rkhs.Stalled {
		d.Fail("mode %d, status %d", r.Mode, r.Status)
	}
	for _, v := range r.counts() {
		*v = d.Int()
	}
	for _, v := range r.numbers() {
		*v = d.Float64()
	}
	return r
}

func (r *Report) counts() []*int { return []*int{&r.Rows, &r.Features, &r.Blocks, &r.Passes} }

func (r *Report) numbers() []*float64 {
	return []*float64{&r.Ridge, &r.HeldOut, &r.Objective, &r.Gradient, &r.Gap}
}
