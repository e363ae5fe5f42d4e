package doublysgd

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
)

// Model is a fitted function
//
//	f(x) = intercept + unit·Σ_b φ_b(x)·A_b
//
// of d inputs and q outputs. Quantiles are in ascending order. A Model is immutable and safe for
// concurrent use.
type Model struct {
	f         function
	report    Report
	intervals calibrate.Intervals // of a regression
}

// function evaluates f for package model.
type function struct {
	features  *blocks.Function
	units     descent.Units
	quantiles []float64 // levels of the outputs, ascending, or nil
}

// newModel returns rkhs.ErrDiverged if a coefficient is not a finite number.
func newModel(f *blocks.Function, u descent.Units, report Report) (*Model, error) {
	for o, v := range u.Offset {
		if !compute.Finite(v) || !compute.Finite(u.Unit[o]) {
			return nil, fmt.Errorf("doublysgd: targets have the median %v and the unit %v: %w", v, u.Unit[o], rkhs.ErrDiverged)
		}
	}
	if err := f.Check(); err != nil {
		return nil, prefixed(err)
	}
	report.ModelOrder, report.Features = f.Count(), f.Count()*f.Map.Columns()
	return &Model{f: function{features: f, units: u}, report: report}, nil
}

// prefixed adds the package name to an error of an internal package.
func prefixed(err error) error { return fmt.Errorf("doublysgd: %w", err) }

// Dims returns d and q, or 0 and 0 if f was not fitted.
func (f function) Dims() (inputs, outputs int) {
	if f.features == nil {
		return 0, 0
	}
	return f.features.Map.Dim(), f.features.Outputs
}

// Accepts returns an error if the kernel is undefined on a row of x.
func (f function) Accepts(x compute.Points) error {
	return gram.Check(f.features.Map.Kernel(), x)
}

// EvalTo sets dst to f(x).
func (f function) EvalTo(dst compute.Matrix, x compute.Points) error {
	clear(dst.Data)
	f.features.AddTo(dst, x)
	f.units.Restore(dst)
	if f.quantiles != nil {
		for i := range dst.Rows {
			slices.Sort(compute.Row(dst, i))
		}
	}
	return nil
}

// AcceptsRow returns an error if x is not finite or the kernel is undefined on it.
func (f function) AcceptsRow(x []float64) error {
	return f.features.AcceptsRow(x)
}

// EvalRow sets dst to f(x) of a single row.
func (f function) EvalRow(dst, x []float64) error {
	clear(dst)
	f.features.AddRow(dst, x)
	for o, v := range dst {
		dst[o] = f.units.Offset[o] + float64(f.units.Unit[o]*v)
	}
	if f.quantiles != nil {
		slices.Sort(dst)
	}
	return nil
}

// function returns f, or an unfitted function for a nil or zero model.
func (m *Model) function() function {
	if m == nil {
		return function{}
	}
	return m.f
}

// fitted reports whether m is the result of a fit, a learner or a file.
func (m *Model) fitted() bool { return m.function().features != nil }

// Dims returns the number of inputs d and of outputs q.
func (m *Model) Dims() (inputs, outputs int) { return m.function().Dims() }

// ModelOrder returns the number of blocks of features.
func (m *Model) ModelOrder() int { return m.Report().ModelOrder }

// Seed returns the seed of the features.
func (m *Model) Seed() uint64 {
	if !m.fitted() {
		return 0
	}
	return m.f.features.Options.Seed
}

// Kernel returns the kernel.
func (m *Model) Kernel() kernel.Kernel {
	if !m.fitted() {
		return nil
	}
	return kernel.Clone(m.f.features.Map.Kernel())
}

// Intercept returns the unpenalised constant of each output.
func (m *Model) Intercept() []float64 { return slices.Clone(m.function().units.Offset) }

// Quantiles returns the level of each output, or nil if Options.Quantiles was empty.
func (m *Model) Quantiles() []float64 { return slices.Clone(m.function().quantiles) }

// Features returns a copy of f without its intercept: the feature map and the coefficients of each
// block, Columns×q, in units of the targets.
func (m *Model) Features() features.Expansion {
	if !m.fitted() {
		return features.Expansion{}
	}
	return m.f.features.Expansion(m.f.units.Unit)
}

// Formula returns f as a formula that shares no memory with m. Quantiles have the output
// formula.Ascending.
func (m *Model) Formula() formula.Formula {
	if !m.fitted() {
		return formula.Formula{}
	}
	inputs, _ := m.Dims()
	f := formula.Formula{Inputs: inputs, Intercept: m.Intercept(), Features: []features.Expansion{m.Features()}}
	if m.f.quantiles != nil {
		f.Output = formula.Ascending
	}
	return f
}

// Report returns the report of the fit.
func (m *Model) Report() Report {
	if m == nil {
		return Report{}
	}
	r := m.report
	r.Units = slices.Clone(m.f.units.Unit)
	r.Calibration = m.intervals.Report()
	return r
}

// Predict returns f(x), n×q for n rows. Errors wrap rkhs.ErrUnfitted, rkhs.ErrShape,
// rkhs.ErrEmpty, rkhs.ErrNotFinite and rkhs.ErrDomain. O(n·D·(d + q)) for D features.
func (m *Model) Predict(x mat.Matrix) (*mat.Dense, error) {
	return model.Predict(pkg, m.function(), x)
}

// PredictTo stores f(x) in dst, which must be n×q or empty. It returns the errors of Predict.
func (m *Model) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return model.PredictTo(pkg, m.function(), dst, x)
}

// PredictRow sets dst, of length q, to f(x) of a single row x of length d. It equals Predict up to
// rounding. It does not allocate for Fourier features that Warm has drawn. It returns the errors of
// Predict.
func (m *Model) PredictRow(dst, x []float64) error {
	return model.PredictRow(pkg, m.function(), dst, x)
}

// Warm draws the features in advance, up to Options.CacheSize bytes of a fit or 256 MiB of a file,
// so that the first prediction is as fast as the next. It returns early with the error of ctx.
func (m *Model) Warm(ctx context.Context) error {
	if err := input.Fitted(pkg, "Warm", m.fitted()); err != nil {
		return err
	}
	if err := input.Context(pkg, ctx); err != nil {
		return err
	}
	m.f.features.Warm(func() bool { return ctx.Err() != nil })
	return ctx.Err()
}

// Interval returns lower and upper bounds, n×q, that cover targets at the rows x with the given
// probability. The widths are quantiles of errors on unseen rows (split conformal prediction,
// Report.Calibration). Errors are as for Predict, rkhs.ErrOption for a coverage outside (0, 1) or too
// high for the number of rows, and rkhs.ErrNoCalibration, in particular for quantiles.
func (m *Model) Interval(x mat.Matrix, coverage float64) (lower, upper *mat.Dense, err error) {
	return model.Interval(pkg, &model.OrZero(m).intervals, m.function(), x, coverage)
}

var modelFormat = codec.Register(codec.Format[Model]{Kind: "doublysgd model", Decode: decodeModel,
	Encode: (*Model).encode, Fitted: (*Model).fitted})

// MarshalBinary encodes the model. It returns an error if the kernel has no encoding.
func (m *Model) MarshalBinary() ([]byte, error) { return modelFormat.File(m) }

// UnmarshalBinary replaces m by the model in data. On an error, which wraps rkhs.ErrFormat, m is
// unchanged.
func (m *Model) UnmarshalBinary(data []byte) error { return modelFormat.Unmarshal(m, data) }

func (m *Model) encode(e *codec.Encoder) error {
	if err := m.encodeScores(e); err != nil {
		return err
	}
	m.intervals.Encode(e)
	e.Float64s(m.f.quantiles)
	return nil
}

// encodeScores writes m without intervals and quantiles.
func (m *Model) encodeScores(e *codec.Encoder) error {
	e.Fields(m.report.fields()...)
	if err := m.f.features.Encode(e); err != nil {
		return err
	}
	m.f.units.Encode(e)
	return search.EncodeResult(e, m.report.Search)
}

func decodeModel(d *codec.Decoder) Model {
	m := decodeScores(d)
	m.intervals = calibrate.DecodeIntervals(d)
	inputs, outputs := m.Dims()
	m.intervals.Check(d, inputs, outputs)
	if taus := d.Float64s(); d.Err() == nil && len(taus) > 0 {
		if !ascend(taus) || len(taus) != outputs {
			d.Fail("the quantiles %v of %d outputs", taus, outputs)
		}
		m.f.quantiles = taus
	}
	return m
}

// decodeScores reads the output of encodeScores.
func decodeScores(d *codec.Decoder) Model {
	var m Model
	d.Fields(m.report.fields()...)
	m.f.features = blocks.Decode(d, blocks.DefaultCache)
	if d.Err() != nil {
		return m
	}
	if m.f.features.Average != nil {
		d.Fail("a model with the average of its iterates")
	}
	m.f.units = descent.DecodeUnits(d, m.f.features.Outputs)
	m.report.Search = search.DecodeResult(d)
	return m
}
