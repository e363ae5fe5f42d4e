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

// Model estimates the ratio of two densities. It is immutable and safe for concurrent
// use.
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

// function returns the function that was learned, nil of a nil or zero model.
func (m *Model) function() *descent.SpaceFunction { return model.OrZero(m).f }

// density is w by the function that was learned.
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

// of returns w for a value of the function.
func (d density) of(v float64) float64 {
	if d.form == Plain {
		return max(0, v)
	}
	return compute.ExpOne(min(v, largestLog))
}

// EvalRow sets dst to w(x) of a single row.
func (d density) EvalRow(dst, x []float64) error {
	err := d.SpaceFunction.EvalRow(dst, x)
	dst[0] = d.of(dst[0])
	return err
}

// density returns w, unfitted of a nil or zero model.
func (m *Model) density() density { return density{m.function(), m.Form()} }

// Dims returns the number of inputs d and of outputs, 1.
func (m *Model) Dims() (inputs, outputs int) { return m.function().Dims() }

// Kernel returns the kernel.
func (m *Model) Kernel() kernel.Kernel { return kernel.Clone(m.function().Kernel()) }

// Seed returns the seed of the features.
func (m *Model) Seed() uint64 { return m.function().Seed() }

// ModelOrder returns the number of centres, beside which there may be random features.
func (m *Model) ModelOrder() int { return m.Report().ModelOrder }

// Intercept returns 0, for there is none.
func (m *Model) Intercept() []float64 {
	if m.function() == nil {
		return nil
	}
	return []float64{0}
}

// Expansion returns the part of the function that was learned which sits on the centres: a
// copy.
func (m *Model) Expansion() kernel.Expansion { return m.function().Expansion() }

// Features returns the part of it that is of random features, the zero function where there
// are none: a copy.
func (m *Model) Features() features.Expansion { return m.function().Explicit() }

// Formula writes the model out, without sharing memory.
func (m *Model) Formula() formula.Formula {
	output := formula.Exponential
	if m.Form() == Plain {
		output = formula.Nonnegative
	}
	return model.Predicting(m.function().Formula(0), output)
}

// Form returns which function was learned.
func (m *Model) Form() Form { return model.OrZero(m).form }

// Report says how the model was found.
func (m *Model) Report() Report { return Report(model.OrZero(m).report) }

// Scores returns the function that was learned, n×1: log w(x), or w(x) itself. Errors are
// those of Predict.
func (m *Model) Scores(x mat.Matrix) (*mat.Dense, error) { return model.Predict(pkg, m.function(), x) }

// Predict returns w(x) = p(x)/q(x), n×1. Errors wrap rkhs.ErrUnfitted, rkhs.ErrShape,
// rkhs.ErrEmpty, rkhs.ErrNotFinite and rkhs.ErrDomain. O(n·(q + D)·d) for q centres and D
// features.
func (m *Model) Predict(x mat.Matrix) (*mat.Dense, error) { return model.Predict(pkg, m.density(), x) }

// PredictTo stores w(x) in dst, which must be n×1 or empty. Errors are those of Predict.
func (m *Model) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return model.PredictTo(pkg, m.density(), dst, x)
}

// PredictRow is Predict of a single row x, of d numbers, up to rounding, without what blocks of rows
// cost to set up and, of features that Warm has drawn, without allocating.
func (m *Model) PredictRow(dst, x []float64) error {
	return model.PredictRow(pkg, m.density(), dst, x)
}

// Warm draws the features, up to 256 MiB of them: the first predictions then take no longer than
// others. It ends early with the error of ctx.
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

// Divergence returns the Kullback–Leibler divergence of p from q as the rows of x,
// drawn from p, estimate it: the mean of log w, of rows that count by their weights if they
// are rkhs.Weighted. With Plain, values below 0.1 count as 0.1. Errors are those of Predict,
// and for weights those of rkhs.Weighted.
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

// MarshalBinary returns the model as a file. It fails if the kernel cannot be
// written.
func (m *Model) MarshalBinary() ([]byte, error) { return modelFormat.File(m) }

// UnmarshalBinary replaces m by the model in data. On an error, which wraps
// rkhs.ErrFormat, m is left as it was.
func (m *Model) UnmarshalBinary(data []byte) error { return modelFormat.Unmarshal(m, data) }

// head lists what a file has before the function.
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
