package ridge

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
)

// Model is a fitted function
//
//	f_o(x) = b_o + Σ_i a_io·k(x, x_i).
//
// It is immutable and safe for concurrent use. Methods of an unfitted Model return zero values, or
// an error that wraps rkhs.ErrUnfitted.
type Model struct {
	sum       model.Sum // of a single term
	report    Report
	seed      uint64
	intervals calibrate.Intervals // of a regression
}

// model returns rkhs.ErrDiverged if a number of f is not finite.
func (p *problem) model(s *solution) (*Model, error) {
	p.report.ModelOrder = s.points.Rows
	p.report.Ridge = p.noise / float64(p.x.Rows)
	if !compute.AllFinite(s.weights) || !compute.AllFinite(compute.ColumnOf(s.intercept)) {
		return nil, fmt.Errorf("ridge: a weight of k(x, ·) is not finite: %w", rkhs.ErrDiverged)
	}
	terms := []kernel.Expansion{expansion.Of(p.of.Kernel, s.points, s.weights)}
	return &Model{report: p.report, seed: p.options.Seed, sum: model.NewSum(p.x.Cols, s.intercept, terms, p.options.Workers)}, nil
}

// NewModel returns a model with the function f and a constant for each output, solved elsewhere. It
// sets report.ModelOrder. The model has no intervals. Errors wrap rkhs.ErrShape if there are no
// points or the numbers of outputs differ, rkhs.ErrNotFinite, and the errors of kernel.Check.
func NewModel(f kernel.Expansion, b []float64, report Report) (*Model, error) {
	if f.Points == nil || f.Weights == nil {
		return nil, fmt.Errorf("ridge: an expansion without points: %w", rkhs.ErrShape)
	}
	points, err := input.Points(pkg, "Points", f.Points)
	if err != nil {
		return nil, err
	}
	weights, err := input.Rows(pkg, "Weights", f.Weights)
	if err != nil {
		return nil, err
	}
	if weights.Rows != points.Rows || weights.Cols != len(b) || !report.fits(len(b)) {
		return nil, fmt.Errorf("ridge: the sizes of %d×%d weights, %d points, %d constants and the report differ: %w",
			weights.Rows, weights.Cols, points.Rows, len(b), rkhs.ErrShape)
	}
	if !compute.AllFinite(compute.ColumnOf(b)) {
		return nil, fmt.Errorf("ridge: constants %v: %w", b, rkhs.ErrNotFinite)
	}
	if err := gram.Check(f.Kernel, points); err != nil {
		return nil, fmt.Errorf("ridge: %w", err)
	}
	report = report.clone()
	report.ModelOrder = points.Rows
	term := expansion.Of(kernel.Clone(f.Kernel), points.Clone(), weights)
	return &Model{report: report, sum: model.NewSum(points.Cols, slices.Clone(b), []kernel.Expansion{term}, 0)}, nil
}

// function returns f. An unfitted model has no outputs.
func (m *Model) function() *model.Sum { return &model.OrZero(m).sum }

// Dims returns the number of inputs d and of outputs q.
func (m *Model) Dims() (inputs, outputs int) { return m.function().Dims() }

// ModelOrder returns the number of points x_i.
func (m *Model) ModelOrder() int { return m.function().ModelOrder() }

// Seed returns the seed of the fit.
func (m *Model) Seed() uint64 { return model.OrZero(m).seed }

// Kernel returns k.
func (m *Model) Kernel() kernel.Kernel { return kernel.Clone(m.function().Term().Kernel) }

// Expansion returns a copy of f without its constants: points x_i, m×d, and weights, m×q.
func (m *Model) Expansion() kernel.Expansion { return m.function().Term().Clone() }

// Formula returns f as a formula. It shares no memory.
func (m *Model) Formula() formula.Formula { return m.function().Formula() }

// Intercept returns the constants b, one for each output.
func (m *Model) Intercept() []float64 { return m.function().Constants() }

// Report describes the fit.
func (m *Model) Report() Report {
	m = model.OrZero(m)
	r := m.report.clone()
	r.Calibration = m.intervals.Report()
	return r
}

// Predict returns f(x), n×q for n rows. Errors wrap rkhs.ErrUnfitted, rkhs.ErrShape,
// rkhs.ErrEmpty, rkhs.ErrNotFinite and rkhs.ErrDomain. O(n·m·(d + q)) for m points.
func (m *Model) Predict(x mat.Matrix) (*mat.Dense, error) {
	return model.Predict(pkg, m.function(), x)
}

// PredictTo stores f(x) in dst, which must be n×q or empty. Errors are as in Predict.
func (m *Model) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return model.PredictTo(pkg, m.function(), dst, x)
}

// PredictRow sets dst, of length q, to f(x) for a single row x, without allocating. Its result may
// differ from Predict by rounding. Errors are as in Predict.
func (m *Model) PredictRow(dst, x []float64) error {
	return model.PredictRow(pkg, m.function(), dst, x)
}

// Interval returns bounds, n×q, of intervals that cover the targets of the rows x with probability
// coverage, by the errors at unseen rows (split conformal prediction). Errors are as in Predict,
// rkhs.ErrNoCalibration, and rkhs.ErrOption for a coverage outside (0, 1) or too high for these rows.
func (m *Model) Interval(x mat.Matrix, coverage float64) (lower, upper *mat.Dense, err error) {
	return model.Interval(pkg, &model.OrZero(m).intervals, m.function(), x, coverage)
}

var modelFormat = codec.Register(codec.Format[Model]{Kind: "ridge model", Decode: decodeCalibrated,
	Encode: (*Model).encodeCalibrated, Fitted: func(m *Model) bool { return len(m.function().Terms) > 0 }})

// MarshalBinary returns the model as a file. It fails if the kernel cannot be written.
func (m *Model) MarshalBinary() ([]byte, error) { return modelFormat.File(m) }

// UnmarshalBinary replaces m by the model in data, unless it returns rkhs.ErrFormat.
func (m *Model) UnmarshalBinary(data []byte) error { return modelFormat.Unmarshal(m, data) }

// encode writes the model without intervals, as the scores of a classifier.
func (m *Model) encode(e *codec.Encoder) error {
	e.Uint64(m.seed)
	e.Fields(m.report.fields()...)
	if err := search.EncodeResult(e, m.report.Search); err != nil {
		return err
	}
	return m.sum.Encode(e)
}

func (m *Model) encodeCalibrated(e *codec.Encoder) error {
	err := m.encode(e)
	m.intervals.Encode(e)
	return err
}

func decodeCalibrated(d *codec.Decoder) Model {
	m := decodeModel(d)
	m.intervals = calibrate.DecodeIntervals(d)
	m.intervals.Check(d, m.sum.Inputs, len(m.sum.Intercept))
	return m
}

func decodeModel(d *codec.Decoder) Model {
	m := Model{seed: d.Uint64()}
	d.Fields(m.report.fields()...)
	m.report.Search = search.DecodeResult(d)
	m.sum = model.DecodeSum(d)
	if _, q := m.Dims(); d.Err() == nil && (len(m.sum.Terms) != 1 || !m.report.fits(q)) {
		d.Fail("%d terms, or a report that does not have %d outputs", len(m.sum.Terms), q)
	}
	return m
}
