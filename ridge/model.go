package ridge

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/kernel"
)

// Model is a fitted function
//
//	f_o(x) = b_o + Σ_i a_io·k(x, x_i).
//
// It is immutable and safe for concurrent use. Methods of a Model that was not fitted
// return zero values, or an error that wraps rkhs.ErrUnfitted.
type Model struct {
	sum       model.Sum // of a single term
	report    Report
	seed      uint64
	intervals calibrate.Intervals // of a regression
}

// newModel returns rkhs.ErrDiverged if a number of f is not finite.
func newModel(p *problem, s *solution) (*Model, error) {
	p.report.ModelOrder = s.points.Rows
	p.report.Ridge = p.noise / float64(p.x.Rows)
	terms := []kernel.Expansion{expansion.Of(p.of.Kernel, s.points, s.weights)}
	m := &Model{report: p.report, seed: p.options.Seed, sum: model.NewSum(p.x.Cols, s.intercept, terms, p.options.Workers)}
	if !compute.AllFinite(s.weights) || !compute.AllFinite(compute.ColumnOf(s.intercept)) {
		return nil, fmt.Errorf("ridge: a weight of k(x, ·) is not finite: %w", rkhs.ErrDiverged)
	}
	return m, nil
}

// function returns f, without outputs for a model that was not fitted.
func (m *Model) function() *model.Sum { return &model.OrZero(m).sum }

// Dims returns the number of inputs d and of outputs q.
func (m *Model) Dims() (inputs, outputs int) { return m.function().Dims() }

// ModelOrder returns the number of points x_i.
func (m *Model) ModelOrder() int { return m.function().ModelOrder() }

// Kernel returns k.
func (m *Model) Kernel() kernel.Kernel { return kernel.Clone(m.function().Term().Kernel) }

// Expansion returns f less its constants: points x_i, m×d, and weights, m×q; a copy.
func (m *Model) Expansion() kernel.Expansion { return m.function().Term().Clone() }

// Formula writes the model out, without sharing memory.
func (m *Model) Formula() formula.Formula { return m.function().Formula() }

// Intercept returns the constants b, one for each output.
func (m *Model) Intercept() []float64 { return m.function().Constants() }

// Report says how f was found.
func (m *Model) Report() Report {
	m = model.OrZero(m)
	r := m.report.clone()
	r.Calibration = m.intervals.Report()
	return r
}

// Seed returns the seed of the fit.
func (m *Model) Seed() uint64 { return model.OrZero(m).seed }

// Predict returns f(x), n×q for n rows. Errors wrap rkhs.ErrUnfitted, rkhs.ErrShape,
// rkhs.ErrEmpty, rkhs.ErrNotFinite and rkhs.ErrDomain. O(n·m·(d + q)) for m points.
func (m *Model) Predict(x mat.Matrix) (*mat.Dense, error) {
	return model.Predict(pkg, m.function(), x)
}

// PredictTo stores f(x) in dst, which must be n×q or empty. Errors are those of Predict.
func (m *Model) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return model.PredictTo(pkg, m.function(), dst, x)
}

// PredictRow sets dst, of q numbers, to f(x) of a single row x, of d, up to rounding what Predict
// says, without allocating and without what blocks of rows cost to set up. Errors are those of Predict.
func (m *Model) PredictRow(dst, x []float64) error {
	return model.PredictRow(pkg, m.function(), dst, x)
}

// Interval returns the ends, n×q, of intervals that cover targets of the rows x with a
// probability of the given level: f(x) and as much on either side as errors at rows that f was
// not learned from tell (split conformal prediction; Report.Calibration). The errors are those
// of Predict, rkhs.ErrOption for a level outside of (0, 1), or so high that the rows cannot
// tell, and rkhs.ErrUncalibrated.
func (m *Model) Interval(x mat.Matrix, level float64) (lower, upper *mat.Dense, err error) {
	return model.Interval(pkg, &model.OrZero(m).intervals, m.function(), x, level)
}

var modelFormat = codec.Register(codec.Format[Model]{Kind: "ridge model", Decode: decodeCalibratedModel,
	Encode: (*Model).encodeCalibrated, Fitted: func(m *Model) bool { return len(m.function().Terms) > 0 }})

// MarshalBinary returns the model as a file. It fails if the kernel cannot be written.
func (m *Model) MarshalBinary() ([]byte, error) { return modelFormat.File(m) }

// UnmarshalBinary replaces m by the model in data. On an error, which wraps
// rkhs.ErrFormat, m is left as it was.
func (m *Model) UnmarshalBinary(data []byte) error { return modelFormat.Unmarshal(m, data) }

func (m *Model) encode(e *codec.Encoder) error {
	e.Uint64(m.seed)
	e.Fields(m.report.fields()...)
	if err := choose.EncodeChoice(e, m.report.Choice); err != nil {
		return err
	}
	return m.sum.Encode(e)
}

func (m *Model) encodeCalibrated(e *codec.Encoder) error {
	if err := m.encode(e); err != nil {
		return err
	}
	m.intervals.Encode(e)
	return nil
}

func decodeCalibratedModel(d *codec.Decoder) Model {
	m := decodeModel(d)
	m.intervals = calibrate.DecodeIntervals(d)
	m.intervals.Check(d, m.sum.Inputs, len(m.sum.Intercept))
	return m
}

// decodeModel reads a model without its intervals.
func decodeModel(d *codec.Decoder) Model {
	m := Model{seed: d.Uint64()}
	d.Fields(m.report.fields()...)
	m.report.Choice = choose.DecodeChoice(d)
	m.sum = model.DecodeSum(d)
	if d.Err() == nil && len(m.sum.Terms) != 1 {
		d.Fail("%d terms", len(m.sum.Terms))
	}
	for _, list := range m.report.lists() {
		if _, q := m.Dims(); d.Err() == nil && len(*list) != 0 && len(*list) != q {
			d.Fail("a report of %d outputs for %d", len(*list), q)
		}
	}
	return m
}
