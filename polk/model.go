package polk

import (
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// Model is a fitted function f(x) = b + Σ_j k(d_j, x)·w_j. It is immutable and safe for
// concurrent use. Methods of a nil or zero Model return zero values, and errors that wrap
// rkhs.ErrUnfitted.
type Model struct {
	f         model.Sum // of one term
	seed      uint64
	report    Report
	intervals calibrate.Intervals // of a regression
}

// with calibrates the intervals of a model, which may be nil.
func (m *Model) with(s calibrate.Sample) *Model {
	if m != nil {
		m.intervals = calibrate.FitIntervals(s)
	}
	return m
}

// Dims returns the number of inputs d and of outputs q.
func (m *Model) Dims() (inputs, outputs int) { return m.function().Dims() }

// Seed returns the seed of the options.
func (m *Model) Seed() uint64 { return model.OrZero(m).seed }

// ModelOrder returns the number M of points.
func (m *Model) ModelOrder() int { return m.function().ModelOrder() }

// Report describes the fit.
func (m *Model) Report() Report {
	m = model.OrZero(m)
	r := m.report
	r.Kernel, r.Calibration = kernel.Clone(r.Kernel), m.intervals.Report()
	return r
}

// Kernel returns k.
func (m *Model) Kernel() kernel.Kernel { return m.Report().Kernel }

// Intercept returns b, one constant per output.
func (m *Model) Intercept() []float64 { return m.function().Constants() }

// Expansion returns f − b: the dictionary, M×d, and the weights, M×q; both are nil for M = 0.
func (m *Model) Expansion() kernel.Expansion { return m.function().Term().Clone() }

// Formula returns the model as a formula that shares no memory with it.
func (m *Model) Formula() formula.Formula { return m.function().Formula() }

// Predict returns f(x), n×q for n rows. O(n·M·(d + q)).
func (m *Model) Predict(x mat.Matrix) (*mat.Dense, error) {
	return model.Predict(pkg, m.function(), x)
}

// PredictTo stores f(x) in dst, which must be n×q or empty. Errors wrap rkhs.ErrShape,
// rkhs.ErrEmpty, rkhs.ErrNotFinite and rkhs.ErrDomain.
func (m *Model) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return model.PredictTo(pkg, m.function(), dst, x)
}

// PredictRow stores f(x) of a single row x, of length d, in dst, of length q. It does not
// allocate. Results equal Predict up to rounding, and so do the errors.
func (m *Model) PredictRow(dst, x []float64) error {
	return model.PredictRow(pkg, m.function(), dst, x)
}

// Interval returns lower and upper bounds, n×q, of prediction intervals with the given coverage
// (split conformal prediction; Report.Calibration). Errors are the errors of Predict, rkhs.ErrOption
// for a coverage outside (0, 1) or too high for the number of rows, and rkhs.ErrNoCalibration.
func (m *Model) Interval(x mat.Matrix, coverage float64) (lower, upper *mat.Dense, err error) {
	return model.Interval(pkg, &model.OrZero(m).intervals, m.function(), x, coverage)
}

// function returns f, which has no outputs if the model is nil or zero.
func (m *Model) function() *model.Sum { return &model.OrZero(m).f }

var modelFormat = codec.Register(codec.Format[Model]{Kind: "polk model", Decode: decodeModel,
	Encode: (*Model).encode, Fitted: (*Model).fitted})

// MarshalBinary encodes the model. It returns an error if the kernel or the loss has no
// encoding.
func (m *Model) MarshalBinary() ([]byte, error) { return modelFormat.File(m) }

// fitted reports whether m is neither nil nor zero.
func (m *Model) fitted() bool { return len(m.function().Intercept) > 0 }

// UnmarshalBinary replaces m by an encoded model. On an error, which wraps rkhs.ErrFormat, m is
// unchanged.
func (m *Model) UnmarshalBinary(data []byte) error { return modelFormat.Unmarshal(m, data) }

func (m *Model) encode(e *codec.Encoder) error {
	if err := m.encodeWithoutIntervals(e); err != nil {
		return err
	}
	m.intervals.Encode(e)
	return nil
}

func decodeModel(d *codec.Decoder) Model {
	m := decodeWithoutIntervals(d)
	m.intervals = calibrate.DecodeIntervals(d)
	inputs, _ := m.Dims()
	m.intervals.Check(d, inputs, len(m.f.Intercept))
	return m
}

// encodeWithoutIntervals writes m without its intervals, as a classifier needs it.
func (m *Model) encodeWithoutIntervals(e *codec.Encoder) error {
	if err := m.f.Encode(e); err != nil {
		return err
	}
	e.Uint64(m.seed)
	if err := e.Nested(loss.Marshal(m.report.Loss)); err != nil {
		return err
	}
	e.Float64(m.report.Ridge)
	e.Float64(m.report.Rate)
	e.Int(int(m.report.Status))
	m.report.Totals.encode(e)
	return search.EncodeResult(e, m.report.Search)
}

func decodeWithoutIntervals(d *codec.Decoder) Model {
	m := Model{f: model.DecodeSum(d), seed: d.Uint64()}
	if d.Err() == nil && len(m.f.Terms) != 1 {
		d.Fail("%d terms", len(m.f.Terms))
	}
	m.report = Report{Kernel: m.f.Term().Kernel, Loss: codec.Nested(d, loss.Unmarshal), Ridge: d.Finite(), Rate: d.Finite()}
	m.report.Status, m.report.Totals = codec.Enum(d, rkhs.Stalled), decodeTotals(d)
	m.report.Search = search.DecodeResult(d)
	return m
}
