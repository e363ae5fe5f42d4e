package novelty

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/kernel"
)

// Model is a fitted one-class support vector machine. It is immutable and safe for
// concurrent use.
type Model struct {
	f      scores
	nu     float64
	report descent.SpaceReport
}

// scores is the function f(x) − r.
type scores struct {
	*descent.SpaceFunction
	offset float64 // r
}

// EvalTo sets dst to f(x) − r.
func (s scores) EvalTo(dst compute.Matrix, x compute.Points) error {
	if err := s.SpaceFunction.EvalTo(dst, x); err != nil {
		return err
	}
	for i := range dst.Data {
		dst.Data[i] -= s.offset
	}
	return nil
}

// EvalRow sets dst to f(x) − r for a single row.
func (s scores) EvalRow(dst, x []float64) error {
	err := s.SpaceFunction.EvalRow(dst, x)
	dst[0] -= s.offset
	return err
}

// newModel returns rkhs.ErrDiverged if a coefficient is not a finite number.
func newModel(f *descent.SpaceFunction, offset, nu float64, report descent.SpaceReport) (*Model, error) {
	if !compute.Finite(offset) {
		return nil, fmt.Errorf("novelty: the offset is %v: %w", offset, rkhs.ErrDiverged)
	}
	if err := f.Check(); err != nil {
		return nil, fmt.Errorf("novelty: %w", err)
	}
	return &Model{scores{f, offset}, nu, report}, nil
}

// function returns f(x) − r, which is unfitted for a nil or zero model.
func (m *Model) function() scores { return model.OrZero(m).f }

// Dims returns the number of inputs d and of outputs, 1.
func (m *Model) Dims() (inputs, outputs int) { return m.function().Dims() }

// Kernel returns the kernel.
func (m *Model) Kernel() kernel.Kernel { return kernel.Clone(m.function().Kernel()) }

// Seed returns the seed of the features.
func (m *Model) Seed() uint64 { return m.function().Seed() }

// ModelOrder returns the number of landmarks. The model may also have random features.
func (m *Model) ModelOrder() int { return m.Report().ModelOrder }

// Intercept returns −r.
func (m *Model) Intercept() []float64 {
	if m.function().SpaceFunction == nil {
		return nil
	}
	return []float64{-m.f.offset}
}

// Expansion returns a copy of the kernel expansion of f over the landmarks.
func (m *Model) Expansion() kernel.Expansion { return m.function().SpaceFunction.Expansion() }

// Features returns a copy of the random features part of f, which may be zero.
func (m *Model) Features() features.Expansion { return m.function().Explicit() }

// Formula returns the model as a formula that shares no memory with it. Its labels are −1
// and 1, the sign of f(x) − r.
func (m *Model) Formula() formula.Formula {
	f := m.function()
	return model.DecidingBy(f.SpaceFunction.Formula(-f.offset), []int{-1, 1}, formula.NotNegative)
}

// Nu returns nu, the maximum fraction of novel training rows.
func (m *Model) Nu() float64 { return model.OrZero(m).nu }

// Report returns the report of the fit.
func (m *Model) Report() Report { return Report(model.OrZero(m).report) }

// Scores returns f(x) − r, n×1, which is negative for novel rows. It returns the errors of
// Predict.
func (m *Model) Scores(x mat.Matrix) (*mat.Dense, error) { return model.Predict(pkg, m.function(), x) }

// signs maps negative scores to the label −1 and other scores to 1.
var signs = model.Labels{Names: []int{-1, 1}, Decide: func(scores []float64) int {
	if scores[0] < 0 {
		return 0
	}
	return 1
}}

// Predict returns n×1 labels: −1 for novel rows and 1 for other rows. Errors wrap
// rkhs.ErrUnfitted, rkhs.ErrShape, rkhs.ErrEmpty, rkhs.ErrNotFinite and rkhs.ErrDomain.
// The cost is O(n·(q + D)·d) for q landmarks and D features.
func (m *Model) Predict(x mat.Matrix) (*mat.Dense, error) {
	return signs.Predict(pkg, m.function(), x)
}

// PredictTo stores the labels in dst, which must be n×1 or empty. It returns the errors of
// Predict.
func (m *Model) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return signs.PredictTo(pkg, m.function(), dst, x)
}

// PredictRow sets dst to the label of a single row x of d numbers. It is faster than Predict
// for one row, and does not allocate for features drawn by Warm. Scores agree up to rounding.
func (m *Model) PredictRow(dst, x []float64) error {
	return model.PredictRowLabel(pkg, signs, m.function(), dst, x)
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

var modelFormat = codec.Register(codec.Format[Model]{Kind: "novelty model", Decode: decodeModel,
	Encode: (*Model).encode, Fitted: func(m *Model) bool { return m.function().SpaceFunction != nil }})

// MarshalBinary returns the model as a file. It returns an error if the kernel cannot be
// encoded.
func (m *Model) MarshalBinary() ([]byte, error) { return modelFormat.File(m) }

// UnmarshalBinary replaces m by the model in data. On an error, which wraps
// rkhs.ErrFormat, m is unchanged.
func (m *Model) UnmarshalBinary(data []byte) error { return modelFormat.Unmarshal(m, data) }

// head lists the fields that precede the function in a file.
func (m *Model) head() []any { return append([]any{&m.f.offset, &m.nu}, m.report.Fields()...) }

func (m *Model) encode(e *codec.Encoder) error {
	e.Fields(m.head()...)
	return m.f.Encode(e)
}

func decodeModel(d *codec.Decoder) Model {
	var m Model
	d.Fields(m.head()...)
	m.f.SpaceFunction = descent.DecodeSpaceFunction(d)
	if _, outputs := m.f.Dims(); d.Err() == nil && (outputs != 1 || !(m.nu > 0 && m.nu < 1) || !compute.Finite(m.f.offset)) {
		d.Fail("%d outputs, Nu = %v, offset %v", outputs, m.nu, m.f.offset)
	}
	return m
}

// quantile returns the r that minimises mean max(0, r − v) − nu·r. At most the fraction nu of
// the values are below it.
func quantile(v []float64, weights compute.Weights, nu float64) float64 {
	if weights == nil {
		sorted := slices.Sorted(slices.Values(v))
		return sorted[min(int(nu*float64(len(v))), len(v)-1)]
	}
	order, below := compute.Indices(len(v)), 0.0
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(v[i], v[j]) })
	for _, i := range order {
		if below += weights[i]; below > nu*float64(len(v)) {
			return v[i]
		}
	}
	return v[order[len(order)-1]]
}

const marginRounding = 1e-6

// inside lowers the offset r slightly, so that rows at the margin are inside in spite of
// rounding.
func inside(r float64) float64 { return r - marginRounding*math.Abs(r) }
