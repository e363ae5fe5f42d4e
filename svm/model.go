package svm

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
)

// Model is a fitted function
//
//	f_o(x) = b_o + Σ_i β_io·k(x, x_i)
//
// with support vectors x_i. It is immutable and safe for concurrent use. Methods of an unfitted
// Model return zero values, or an error that wraps rkhs.ErrUnfitted.
type Model struct {
	sum         model.Sum // of a single term
	support     []int     // rows, or nil if unknown
	precomputed bool
	report      Report
	seed        uint64
	intervals   calibrate.Intervals // of a regression
}

// model returns the function with the coefficients of the rows, n×q.
func (p *problem) model(weights compute.Matrix, intercept []float64) (*Model, error) {
	if !compute.AllFinite(weights) || !compute.AllFinite(compute.ColumnOf(intercept)) {
		return nil, fmt.Errorf("svm: a coefficient is not finite: %w", rkhs.ErrDiverged)
	}
	var kept []int
	for i := range weights.Rows {
		if floats.Norm(compute.Row(weights, i), 1) > 0 {
			kept = append(kept, i)
		}
	}
	m := &Model{support: kept, precomputed: p.options.Precomputed, seed: p.options.Seed}
	k, points := p.of.Kernel, p.x.Pick(kept)
	if m.precomputed {
		m.support = compute.PickOf(p.columns, kept)
		k, points = kernel.Linear{}, units(m.support, p.inputs)
	}
	terms := []kernel.Expansion{expansion.Of(k, points, compute.Pick(weights, kept))}
	m.sum = model.NewSum(p.inputs, intercept, terms, p.options.Workers)
	p.report.ModelOrder = len(kept)
	err := p.why()
	m.report = p.report
	return m, err
}

// function returns f. An unfitted model has no outputs.
func (m *Model) function() *model.Sum { return &model.OrZero(m).sum }

// Dims returns the number of inputs d and of outputs q. With a precomputed kernel d is the number
// of rows that the model was fitted to.
func (m *Model) Dims() (inputs, outputs int) { return m.function().Dims() }

// ModelOrder returns the number of support vectors.
func (m *Model) ModelOrder() int { return m.function().ModelOrder() }

// Seed returns the seed of the fit.
func (m *Model) Seed() uint64 { return model.OrZero(m).seed }

// Kernel returns k, or nil if it was precomputed.
func (m *Model) Kernel() kernel.Kernel {
	if model.OrZero(m).precomputed {
		return nil
	}
	return kernel.Clone(m.function().Term().Kernel)
}

// Expansion returns a copy of f without its constants: the support vectors, m×d, and β, m×q. With
// a precomputed kernel it is a linear function of the kernel values: its points are unit vectors.
func (m *Model) Expansion() kernel.Expansion { return m.function().Term().Clone() }

// Formula returns f as a formula. It shares no memory.
func (m *Model) Formula() formula.Formula { return m.function().Formula() }

// Intercept returns the constants b, one for each output.
func (m *Model) Intercept() []float64 { return m.function().Constants() }

// Support returns the numbers of the rows that are support vectors, ascending as in Expansion. Rows
// with zero weight do not count, unless the kernel was precomputed. It returns nil if a LIBSVM file
// does not contain the numbers.
func (m *Model) Support() []int { return slices.Clone(model.OrZero(m).support) }

// Report describes the fit.
func (m *Model) Report() Report {
	m = model.OrZero(m)
	r := m.report.clone()
	r.Calibration = m.intervals.Report()
	return r
}

// Predict returns f(x), n×q for n rows. Errors wrap rkhs.ErrUnfitted, rkhs.ErrShape,
// rkhs.ErrEmpty, rkhs.ErrNotFinite and rkhs.ErrDomain. O(n·m·(d + q)) for m support vectors.
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
// coverage, by the errors at held-out rows (split conformal prediction). Errors are as in Predict,
// rkhs.ErrNoCalibration, and rkhs.ErrOption for a coverage outside (0, 1) or too high for these rows.
func (m *Model) Interval(x mat.Matrix, coverage float64) (lower, upper *mat.Dense, err error) {
	return model.Interval(pkg, &model.OrZero(m).intervals, m.function(), x, coverage)
}

var modelFormat = codec.Register(codec.Format[Model]{Kind: "svm model", Decode: decodeCalibrated,
	Encode: (*Model).encodeCalibrated, Fitted: func(m *Model) bool { return len(m.function().Terms) > 0 }})

// MarshalBinary returns the model as a file. It fails if the kernel cannot be written.
func (m *Model) MarshalBinary() ([]byte, error) { return modelFormat.File(m) }

// UnmarshalBinary replaces m by the model in data, unless it returns rkhs.ErrFormat.
func (m *Model) UnmarshalBinary(data []byte) error { return modelFormat.Unmarshal(m, data) }

// encode writes the model without intervals, as the scores of a classifier.
func (m *Model) encode(e *codec.Encoder) error {
	e.Uint64(m.seed)
	e.Bool(m.precomputed)
	e.Ints(m.support)
	e.Fields(m.report.fields()...)
	m.report.encodeCurve(e)
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
	m := Model{seed: d.Uint64(), precomputed: d.Bool(), support: d.Ints()}
	d.Fields(m.report.fields()...)
	m.report.Curve = decodeCurve(d)
	m.report.Search = search.DecodeResult(d)
	m.sum = model.DecodeSum(d)
	if d.Err() != nil {
		return m
	}
	if _, q := m.Dims(); len(m.sum.Terms) != 1 || !m.report.fits(q) {
		d.Fail("%d terms, or a report that does not have %d outputs", len(m.sum.Terms), q)
	} else if len(m.support) != 0 && len(m.support) != m.ModelOrder() {
		d.Fail("%d numbers of rows for %d support vectors", len(m.support), m.ModelOrder())
	}
	return m
}
