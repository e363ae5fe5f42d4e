package ratio

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/kernel"
)

// Model is an estimated density ratio. It is immutable and safe for concurrent use.
type Model struct {
	f      *descent.SpaceFunction
	form   Form
	report descent.SpaceReport
}

// newModel returns rkhs.ErrDiverged if a coefficient is not a finite number.
func newModel(f *descent.SpaceFunction, form Form, report descent.SpaceReport) (*Model, error) {
	if err := f.Check(); err != nil {
		return nil, fmt.Errorf("ratio: %w", err)
	}
	return &Model{f, form, report}, nil
}

// function returns the fitted function, or nil for a nil or zero model.
func (m *Model) function() *descent.SpaceFunction { return model.OrZero(m).f }

// density evaluates w from the fitted function.
type density struct {
	*descent.SpaceFunction
	form Form
}

// largestLog keeps exp f in range.
const largestLog = 700

// EvalTo sets dst to w(x).
func (d density) EvalTo(dst compute.Matrix, x compute.Points) error {
	if err := d.SpaceFunction.EvalTo(dst, x); err != nil {
		return err
	}
	for i, v := range dst.Data {
		dst.Data[i] = d.of(v)
	}
	return nil
}

// of returns w for a value v of the fitted function.
func (d density) of(v float64) float64 {
	if d.form == Plain {
		return max(0, v)
	}
	return compute.ExpOne(min(v, largestLog))
}

// EvalRow sets dst to w(x) for a single row.
func (d density) EvalRow(dst, x []float64) error {
	err := d.SpaceFunction.EvalRow(dst, x)
	dst[0] = d.of(dst[0])
	return err
}

// density returns w; it is unfitted for a nil or zero model.
func (m *Model) density() density { return density{m.function(), m.Form()} }

// Dims returns the number of inputs d and of outputs, 1.
func (m *Model) Dims() (inputs, outputs int) { return m.function().Dims() }

// Kernel returns the kernel.
func (m *Model) Kernel() kernel.Kernel { return kernel.Clone(m.function().Kernel()) }

// Seed returns the seed of the features.
func (m *Model) Seed() uint64 { return m.function().Seed() }

// ModelOrder returns the number of landmarks. The model may also have random features.
func (m *Model) ModelOrder() int { return m.Report().ModelOrder }

// Intercept returns 0: the model has no intercept.
func (m *Model) Intercept() []float64 {
	if m.function() == nil {
		return nil
	}
	return []float64{0}
}

// Expansion returns a copy of the kernel expansion of the fitted function over the
// landmarks.
func (m *Model) Expansion() kernel.Expansion { return m.function().Expansion() }

// Features returns a copy of the random features part of the fitted function, which may be
// zero.
func (m *Model) Features() features.Expansion { return m.function().Explicit() }

// Formula returns the model as a formula that shares no memory with it.
func (m *Model) Formula() formula.Formula {
	output := formula.Exponential
	if m.Form() == Plain {
		output = formula.Nonnegative
	}
	return model.Predicting(m.function().Formula(0), output)
}

// Form returns the form of the fitted function.
func (m *Model) Form() Form { return model.OrZero(m).form }

// Report returns the report of the fit.
func (m *Model) Report() Report { return Report(model.OrZero(m).report) }

// Scores returns the fitted function, n×1: log w(x) for Log, w(x) for Plain. It returns the
// errors of Predict.
func (m *Model) Scores(x mat.Matrix) (*mat.Dense, error) { return model.Predict(pkg, m.function(), x) }

// Predict returns w(x) = p(x)/q(x), n×1. Errors wrap rkhs.ErrUnfitted, rkhs.ErrShape,
// rkhs.ErrEmpty, rkhs.ErrNotFinite and rkhs.ErrDomain. The cost is O(n·(q + D)·d) for q
// landmarks and D features.
func (m *Model) Predict(x mat.Matrix) (*mat.Dense, error) { return model.Predict(pkg, m.density(), x) }

// PredictTo stores w(x) in dst, which must be n×1 or empty. It returns the errors of Predict.
func (m *Model) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return model.PredictTo(pkg, m.density(), dst, x)
}

// PredictRow sets dst to w(x) for a single row x of d numbers. It is faster than Predict for
// one row, and does not allocate for features drawn by Warm. Results agree up to rounding.
func (m *Model) PredictRow(dst, x []float64) error {
	return model.PredictRow(pkg, m.density(), dst, x)
}

// Warm draws up to 256 MiB of features in advance, so that the first predictions are fast.
// It stops early with the error of ctx.
func (m *Model) Warm(ctx context.Context) error {
	if err := model.Fitted(pkg, "Warm", m.function()); err != nil {
		return err
	}
	if err := input.Context(pkg, ctx); err != nil {
		return err
	}
	m.f.Features.Warm(func() bool { return ctx.Err() != nil })
	return ctx.Err()
}

// Divergence estimates the Kullback–Leibler divergence E_p[log w] from rows x drawn from p.
// If x is rkhs.Weighted, the mean is weighted. With Plain, values below 0.1 count as 0.1.
// Errors are the errors of Predict and, for invalid weights, of rkhs.Weighted.
func (m *Model) Divergence(x mat.Matrix) (float64, error) {
	f, err := model.Eval(pkg, m.function(), x)
	if err != nil {
		return 0, err
	}
	_, weights, err := input.Weights(pkg, "x", x)
	if err != nil {
		return 0, err
	}
	for i, v := range f.Data {
		if m.form == Plain {
			f.Data[i] = math.Log(max(v, smallestDensity))
		}
	}
	if weights == nil {
		return compute.Mean(f.Data), nil
	}
	return compute.Weights(weights).Means(f)[0], nil
}

var modelFormat = codec.Register(codec.Format[Model]{Kind: "ratio model", Decode: decodeModel,
	Encode: (*Model).encode, Fitted: func(m *Model) bool { return m.function() != nil }})

// MarshalBinary returns the model as a file. It returns an error if the kernel cannot be
// encoded.
func (m *Model) MarshalBinary() ([]byte, error) { return modelFormat.File(m) }

// UnmarshalBinary replaces m by the model in data. On an error, which wraps
// rkhs.ErrFormat, m is unchanged.
func (m *Model) UnmarshalBinary(data []byte) error { return modelFormat.Unmarshal(m, data) }

// head lists the fields that precede the function in a file.
func (m *Model) head() []any {
	return append([]any{codec.OneOf(&m.form, Plain)}, m.report.Fields()...)
}

func (m *Model) encode(e *codec.Encoder) error {
	e.Fields(m.head()...)
	return m.f.Encode(e)
}

func decodeModel(d *codec.Decoder) Model {
	var m Model
	d.Fields(m.head()...)
	m.f = descent.DecodeSpaceFunction(d)
	if _, outputs := m.f.Dims(); d.Err() == nil && outputs != 1 {
		d.Fail("%d outputs", outputs)
	}
	return m
}
