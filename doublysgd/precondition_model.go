package doublysgd

import (
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/kernel"
)

// centred is what models of centres and random features have in common.
type centred struct {
	f      *composite
	report PreconditionReport
}

// Dim returns the number of inputs d.
func (m *centred) Dim() int { return m.f.e.m.Dim() }

// Kernel returns the kernel.
func (m *centred) Kernel() kernel.Kernel { return m.f.kernel() }

// Seed returns the seed of the features.
func (m *centred) Seed() uint64 { return m.f.e.options.Seed }

// Report says how the model was found.
func (m *centred) Report() PreconditionReport { return m.report }

func (m *centred) encode(c *codec.Encoder) error {
	m.report.encode(c)
	return m.f.encode(c)
}

func decodeCentred(d *codec.Decoder) centred {
	return centred{report: decodePreconditionReport(d), f: decodeComposite(d)}
}
