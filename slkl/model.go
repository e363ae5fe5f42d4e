package slkl

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
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
	"github.com/rkhs-go/rkhs/slkl/internal/lasso"
)

// Model is a fitted function
//
//	f_o(x) = intercept_o + Σ_m w_mo·k(x, x_m)/√k(x_m, x_m)
//
// over the landmarks with weight. It is immutable and safe for concurrent use.
type Model struct {
	sum     model.Sum        // one term for each base kernel
	mu      []compute.Matrix // of the points of each term, m×q, or m×1 if shared
	shared  bool
	seed    uint64
	ridge   float64
	noise   float64
	found   kernel.SearchResult
	rows    []int // that the landmarks are copies of
	outputs []OutputReport

	intervals calibrate.Intervals // of a regression
}

// with calibrates m, which may be nil.
func (m *Model) with(s calibrate.Sample) *Model {
	if m != nil {
		m.intervals = calibrate.FitIntervals(s)
	}
	return m
}

// solution holds the weights of the columns in set, ascending.
type solution struct {
	columns  *columns
	set      []int
	meanC    []float64 // of the columns, 0 without an intercept
	meanY    []float64 // of the targets, 0 without an intercept
	problems []*lasso.Problem
}

// weighted reports whether column j of the problems has weight for any output.
func weighted(problems []*lasso.Problem, j int) bool {
	return slices.ContainsFunc(problems, func(p *lasso.Problem) bool { return p.Mu[j] > 0 })
}

// newModel returns rkhs.ErrDiverged if a coefficient is not finite.
func newModel(s *settings, w solution, reports []OutputReport) (*Model, error) {
	m := &Model{shared: s.Shared, seed: s.Seed, ridge: s.Ridge, outputs: reports, rows: w.columns.rows,
		sum: model.NewSum(w.columns.points.Cols, w.intercept(), nil, s.Workers)}
	used := make([][]int, len(w.columns.kernels)) // indices in set, for each kernel
	for j, c := range w.set {
		if weighted(w.problems, j) {
			k := c / w.columns.points.Rows
			used[k] = append(used[k], j)
		}
	}
	finite := compute.AllFinite(compute.ColumnOf(m.sum.Intercept))
	for k, list := range used {
		weights, mu := w.coefficients(list, s.Ridge)
		finite = finite && compute.AllFinite(weights) && compute.AllFinite(mu)
		points := w.columns.landmarks(compute.PickOf(w.set, list))
		m.sum.Terms = append(m.sum.Terms, expansion.Of(w.columns.kernels[k], points, weights))
		m.mu = append(m.mu, mu)
	}
	if !finite {
		return nil, fmt.Errorf("slkl: a coefficient is not finite; features or targets are too small or too large: %w",
			rkhs.ErrDiverged)
	}
	return m, nil
}

// intercept returns ȳ_o − Σ_m c̄_m·w_mo.
func (w solution) intercept() []float64 {
	intercept := slices.Clone(w.meanY)
	for _, p := range w.problems {
		part := compute.Vector(intercept[p.Output : p.Output+p.W.Cols])
		for j := range w.set {
			blas64.Axpy(-w.meanC[j], compute.RowVector(p.W, j), part)
		}
	}
	return intercept
}

// coefficients returns w_mo/√k(x_m, x_m) and mu of the columns with the listed indices in set.
func (w solution) coefficients(list []int, lam float64) (weights, mu compute.Matrix) {
	weights, mu = compute.NewMatrix(len(list), len(w.meanY)), compute.NewMatrix(len(list), len(w.problems))
	for i, j := range list {
		for o, p := range w.problems {
			compute.Row(mu, i)[o] = p.Mu[j] * lam
			blas64.Axpy(w.columns.scale[w.set[j]], compute.RowVector(p.W, j), compute.RowVector(p.Outputs(weights), i))
		}
	}
	return weights, mu
}

// function returns f, without outputs if m is not fitted.
func (m *Model) function() *model.Sum { return &model.OrZero(m).sum }

// Dims returns the number of inputs d and of outputs q.
func (m *Model) Dims() (inputs, outputs int) { return m.function().Dims() }

// Seed returns the seed of the fit.
func (m *Model) Seed() uint64 { return model.OrZero(m).seed }

// Report returns the report of the fit.
func (m *Model) Report() Report {
	m = model.OrZero(m)
	r := Report{Search: m.found, Noise: m.noise, Ridge: m.ridge, Outputs: slices.Clone(m.outputs),
		PointRows: slices.Clone(m.rows), Calibration: m.intervals.Report()}
	for _, t := range m.sum.Terms {
		r.Kernels = append(r.Kernels, kernel.Clone(t.Kernel))
	}
	return r
}

// ModelOrder returns the number of pairs of a kernel and a landmark with weight for any output.
func (m *Model) ModelOrder() int { return m.function().ModelOrder() }

// Intercept returns the constant term of each output.
func (m *Model) Intercept() []float64 { return m.function().Constants() }

// Formula returns the model as a formula, which shares no memory with it.
func (m *Model) Formula() formula.Formula { return m.function().Formula() }

// Expansions returns f without its intercept as a sum of functions, one for each base kernel k. The
// points of a function are the landmarks x_m with weight for any output; the weights are
// w_mo/√k(x_m, x_m). A kernel without weight has the zero function.
func (m *Model) Expansions() []kernel.Expansion { return m.function().Expansions() }

// Predict returns f(x), n×q for n rows. O(n·m0·(d + q)).
func (m *Model) Predict(x mat.Matrix) (*mat.Dense, error) { return model.Predict(pkg, m.function(), x) }

// PredictTo stores f(x) in dst, which must be n×q or empty. Errors wrap rkhs.ErrUnfitted,
// rkhs.ErrShape, rkhs.ErrEmpty, rkhs.ErrNotFinite and rkhs.ErrDomain.
func (m *Model) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return model.PredictTo(pkg, m.function(), dst, x)
}

// PredictRow stores f(x) of a single row x of length d in dst of length q, without allocating. It
// equals Predict up to rounding and returns the same errors.
func (m *Model) PredictRow(dst, x []float64) error {
	return model.PredictRow(pkg, m.function(), dst, x)
}

// Interval returns the lower and upper bounds, n×q, of intervals around f(x) that cover the targets
// with the given coverage (split conformal prediction; see Report.Calibration). It returns the
// errors of Predict, rkhs.ErrOption for a coverage outside (0, 1) or too high for the calibration rows,
// and rkhs.ErrNoCalibration.
func (m *Model) Interval(x mat.Matrix, coverage float64) (lower, upper *mat.Dense, err error) {
	return model.Interval(pkg, &model.OrZero(m).intervals, m.function(), x, coverage)
}

// Kernel returns the kernel learned for an output, eq. (4) of the paper:
//
//	k(x, z) = Σ_m mu_m·k(x, x_m)·k(z, x_m)/k(x_m, x_m).
//
// Every learner accepts it. With a shared mu all outputs have the same kernel. Kernel returns nil if
// the output does not exist.
func (m *Model) Kernel(output int) kernel.Kernel {
	if _, q := m.Dims(); output < 0 || output >= q {
		return nil
	}
	if m.shared {
		output = 0
	}
	var sum kernel.Sum
	for k, t := range m.sum.Terms {
		if t.ModelOrder() > 0 {
			mu := make([]float64, t.ModelOrder())
			blas64.Copy(compute.Column(m.mu[k], output), compute.Vector(mu))
			sum = append(sum, kernel.LowRank{Base: t.Kernel, Points: mat.DenseCopyOf(t.Points), Weights: mu})
		}
	}
	switch len(sum) {
	case 0:
		return kernel.Scale{By: 0, Of: m.sum.Terms[0].Kernel}
	case 1:
		return sum[0]
	}
	return sum
}

var modelFormat = codec.Register(codec.Format[Model]{Kind: "slkl model", Decode: decodeModel,
	Encode: (*Model).encode, Fitted: (*Model).fitted})

// MarshalBinary returns the model as a file. It returns an error if a kernel cannot be written.
func (m *Model) MarshalBinary() ([]byte, error) { return modelFormat.File(m) }

// UnmarshalBinary replaces m by the model in data. On an error, which wraps rkhs.ErrFormat, m is
// unchanged.
func (m *Model) UnmarshalBinary(data []byte) error { return modelFormat.Unmarshal(m, data) }

func (m *Model) fitted() bool { return len(m.function().Intercept) > 0 }

func (m *Model) encode(e *codec.Encoder) error {
	if err := m.encodeWithoutIntervals(e); err != nil {
		return err
	}
	m.intervals.Encode(e)
	return nil
}

// encodeWithoutIntervals writes m without its intervals, which the model of a classifier does not have.
func (m *Model) encodeWithoutIntervals(e *codec.Encoder) error {
	if err := m.sum.Encode(e); err != nil {
		return err
	}
	for _, mu := range m.mu {
		e.Matrix(mu)
	}
	e.Fields(&m.shared, &m.seed, &m.ridge)
	for i := range m.outputs {
		e.Fields(m.outputs[i].fields()...)
	}
	e.Fields(&m.noise, &m.rows)
	return search.EncodeResult(e, m.found)
}

func decodeModel(d *codec.Decoder) Model {
	m := decodeWithoutIntervals(d)
	m.intervals = calibrate.DecodeIntervals(d)
	m.intervals.Check(d, m.sum.Inputs, len(m.sum.Intercept))
	return m
}

func decodeWithoutIntervals(d *codec.Decoder) Model {
	m := Model{sum: model.DecodeSum(d)}
	if d.Err() == nil && len(m.sum.Terms) == 0 {
		d.Fail("no kernels")
	}
	for range m.sum.Terms {
		m.mu = append(m.mu, d.Matrix())
	}
	d.Fields(&m.shared, &m.seed, &m.ridge)
	m.outputs = make([]OutputReport, len(m.sum.Intercept))
	if m.shared && len(m.outputs) > 0 {
		m.outputs = m.outputs[:1]
	}
	numbers := []float64{m.ridge}
	for i := range m.outputs {
		r := &m.outputs[i]
		d.Fields(r.fields()...)
		numbers = append(numbers, r.Penalty, r.PenaltyMax, r.Objective, r.Gap, r.KKT)
	}
	m.checkMu(d)
	d.Fields(&m.noise, &m.rows)
	if numbers = append(numbers, m.noise); d.Err() == nil && !compute.AllFinite(compute.ColumnOf(numbers)) {
		d.Fail("a number of the report is not finite")
	}
	for _, i := range m.rows {
		if i < 0 {
			d.Fail("a landmark is row %d", i)
		}
	}
	m.found = search.DecodeResult(d)
	return m
}

// checkMu fails unless there is a mu ≥ 0 for each point and each report.
func (m *Model) checkMu(d *codec.Decoder) {
	for k, mu := range m.mu {
		if order := m.sum.Terms[k].ModelOrder(); d.Err() == nil && (mu.Rows != order || mu.Cols != len(m.outputs)) {
			d.Fail("mu is %d×%d for %d points and %d reports", mu.Rows, mu.Cols, order, len(m.outputs))
		}
		for _, v := range mu.Data {
			if v < 0 {
				d.Fail("mu = %v is negative", v)
			}
		}
	}
}

// fields lists the fields of a file.
func (r *OutputReport) fields() []any {
	return []any{&r.Penalty, &r.PenaltyMax, &r.Objective, &r.Gap, &r.KKT, &r.ModelOrder, &r.Steps, &r.Solves,
		&r.Refactorisations, codec.OneOf(&r.Status, rkhs.Stalled), &r.AtEdge}
}
