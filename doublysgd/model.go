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
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/kernel"
)

// Model is a fitted function
//
//	f(x) = intercept + unit·Σ_b φ_b(x)·A_b
//
// of d inputs and q outputs, whose values are put in ascending order if they are quantiles. It
// is immutable and safe for concurrent use. Its file holds the kernel, the seed of the features
// and the coefficients, so that the size does not depend on d.
type Model struct {
	f         function
	report    Report
	intervals calibrate.Intervals // of a regression
}

// function is f, as package model evaluates it.
type function struct {
	features  *blocks.Function
	units     descent.Units
	quantiles []float64 // that the values are, in ascending order; nil if they are none
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

// prefixed returns an error of an internal package as one of this package.
func prefixed(err error) error { return fmt.Errorf("doublysgd: %w", err) }

// Dims returns d and q, of a function that was not fitted 0 and 0.
func (f function) Dims() (inputs, outputs int) {
	if f.features == nil {
		return 0, 0
	}
	return f.features.Map.Dim(), f.features.Outputs
}

// Accepts refuses rows on which the kernel is not defined.
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

// AcceptsRow refuses a row that is not finite, or on which the kernel is not defined.
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

// function returns f, unfitted of a nil or zero model.
func (m *Model) function() function {
	if m == nil {
		return function{}
	}
	return m.f
}

// fitted reports whether the model is of a fit, a learner or a file.
func (m *Model) fitted() bool { return m.function().features != nil }

// Dims returns the number of inputs d and of outputs q.
func (m *Model) Dims() (inputs, outputs int) { return m.function().Dims() }

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

// Intercept returns the constant of each output, which was fitted without a ridge.
func (m *Model) Intercept() []float64 { return slices.Clone(m.function().units.Offset) }

// Quantiles returns Options.Quantiles, the fractions of the targets that lie below each
// output, or nil.
func (m *Model) Quantiles() []float64 { return slices.Clone(m.function().quantiles) }

// Features returns f less its intercept as a function of explicit features: the map, drawn
// from kernel and seed, and the coefficients of each of its blocks, Columns×q, in the units
// of the targets; a copy.
func (m *Model) Features() features.Expansion {
	if !m.fitted() {
		return features.Expansion{}
	}
	return m.f.features.Expansion(m.f.units.Unit)
}

// Formula writes the model out, without sharing memory. Of quantiles the functions may cross:
// predictions are their values in ascending order, formula.Ascending.
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

// Report says how the model was found.
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

// PredictTo stores f(x) in dst, which must be n×q or empty. Errors are those of Predict.
func (m *Model) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return model.PredictTo(pkg, m.function(), dst, x)
}

// PredictRow sets dst, of q numbers, to f(x) of a single row x, of d, up to rounding what Predict
// says, without what blocks of rows cost to set up and, of Fourier features that Warm has drawn,
// without allocating. Errors are those of Predict.
func (m *Model) PredictRow(dst, x []float64) error {
	return model.PredictRow(pkg, m.function(), dst, x)
}

// Warm draws the features, as far as Options.CacheSize of a fit, or 256 MiB of a file, keeps
// them: the first predictions then take no longer than others. It ends early with the error of ctx.
func (m *Model) Warm(ctx context.Context) error {
	if err := door.Fitted(pkg, "Warm", m.fitted()); err != nil {
		return err
	}
	if err := door.Context(pkg, ctx); err != nil {
		return err
	}
	m.f.features.Warm(func() bool { return ctx.Err() != nil })
	return ctx.Err()
}

// Interval returns the ends, n×q, of intervals that cover targets of the rows x with a
// probability of the given level: f(x) and as much on either side as errors at rows that f was
// not learned from tell (split conformal prediction; Report.Calibration). The errors are those
// of Predict, rkhs.ErrOption for a level outside of (0, 1), or so high that the rows cannot
// tell, and rkhs.ErrUncalibrated, of quantiles always.
func (m *Model) Interval(x mat.Matrix, level float64) (lower, upper *mat.Dense, err error) {
	return model.Interval(pkg, &model.OrZero(m).intervals, m.function(), x, level)
}

var modelFormat = codec.Register(codec.Format[Model]{Kind: "doublysgd model", Decode: decodeModel,
	Encode: (*Model).encode, Fitted: (*Model).fitted})

// MarshalBinary returns the model as a file. It fails if the kernel cannot be
// written.
func (m *Model) MarshalBinary() ([]byte, error) { return modelFormat.File(m) }

// UnmarshalBinary replaces m by the model in data. On an error, which wraps
// rkhs.ErrFormat, m is left as it was.
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
	return choose.EncodeChoice(e, m.report.Choice)
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
	m.report.Choice = choose.DecodeChoice(d)
	return m
}
