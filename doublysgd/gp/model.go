package gp

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
)

// Model is the posterior of a Gaussian process. It is immutable and safe for concurrent
// use. Its file contains the training rows.
type Model struct {
	f        function
	prior    prior
	constant constant
	options  Options // used to solve for variances
	report   Report
	solving  *solving
}

// solving caches the results of the first variance after loading and of the first interval.
type solving struct {
	sync.Mutex
	space       *space
	leaveOneOut *calibrate.Intervals
}

// function is the mean offset + unit·k(x, X)·α.
type function struct {
	sum     kernel.Expansion
	units   descent.Units
	workers int
	rows    *rowFunction
}

// rowFunction evaluates the sum at single rows. It is built at the first use.
type rowFunction struct {
	once sync.Once
	made atomic.Bool
	of   *gram.RowFunction
}

// newModel returns rkhs.ErrDiverged if a weight is not a finite number.
func newModel(s *solver, weights compute.Matrix) (*Model, error) {
	f := function{expansion.Of(s.prior.kernel, s.rows, weights), s.prior.units, s.options.Workers, new(rowFunction)}
	if !compute.AllFinite(weights) {
		return nil, fmt.Errorf("gp: a weight of k(x, ·) is not finite: %w", rkhs.ErrDiverged)
	}
	options := *s.options
	options.Recorder = nil
	m := &Model{f: f, prior: s.prior, constant: s.constant, options: options, report: s.report, solving: new(solving)}
	if !s.monitor.Stopped() {
		m.solving.space = s.space
	}
	return m, nil
}

// Dims returns d and q, or 0 and 0 for an unfitted function.
func (f function) Dims() (inputs, outputs int) {
	if f.sum.Points == nil {
		return 0, 0
	}
	_, inputs = f.sum.Points.Dims()
	_, outputs = f.sum.Weights.Dims()
	return inputs, outputs
}

// Accepts returns an error if the kernel is not defined on x.
func (f function) Accepts(x compute.Points) error { return gram.Check(f.sum.Kernel, x) }

// EvalTo sets dst to the posterior mean at x.
func (f function) EvalTo(dst compute.Matrix, x compute.Points) error {
	gram.Evaluator{Kernel: f.sum.Kernel, Workers: f.workers}.MulOf(dst, x, expansion.Points(f.sum), f.sum.Weights.RawMatrix())
	f.units.Restore(dst)
	return nil
}

// AcceptsRow returns an error if x is not finite or the kernel is not defined on it.
func (f function) AcceptsRow(x []float64) error { return f.row().Check(x) }

// row returns the evaluator for single rows.
func (f function) row() *gram.RowFunction {
	if !f.rows.made.Load() {
		f.rows.make(f.sum)
	}
	return f.rows.of
}

func (r *rowFunction) make(sum kernel.Expansion) {
	r.once.Do(func() {
		r.of = expansion.RowFunction(sum)
		r.made.Store(true)
	})
}

// EvalRow sets dst to the posterior mean at a single row.
func (f function) EvalRow(dst, x []float64) error {
	clear(dst)
	f.row().AddTo(dst, x)
	for o, v := range dst {
		dst[o] = f.units.Offset[o] + float64(f.units.Unit[o]*v)
	}
	return nil
}

// function returns the mean; it is unfitted for a nil or zero model.
func (m *Model) function() function { return model.OrZero(m).f }

// Dims returns the number of inputs d and of outputs q.
func (m *Model) Dims() (inputs, outputs int) { return m.function().Dims() }

// Kernel returns the kernel. The prior covariance is Amplitude times this kernel.
func (m *Model) Kernel() kernel.Kernel { return kernel.Clone(m.function().sum.Kernel) }

// Seed returns the seed of the fit.
func (m *Model) Seed() uint64 { return model.OrZero(m).options.Seed }

// Report returns the report of the fit.
func (m *Model) Report() Report { return model.OrZero(m).report }

// ModelOrder returns the number of training rows, all of which support the mean.
func (m *Model) ModelOrder() int { return m.function().sum.ModelOrder() }

// Intercept returns the constant b of each output.
func (m *Model) Intercept() []float64 { return slices.Clone(m.function().units.Offset) }

// Expansion returns a copy of the posterior mean without Intercept.
func (m *Model) Expansion() kernel.Expansion {
	f := m.function()
	e := f.sum.Clone()
	if e.Weights != nil {
		e.Weights.Apply(func(_, o int, v float64) float64 { return f.units.Unit[o] * v }, e.Weights)
	}
	return e
}

// Formula returns the posterior mean as a formula that shares no memory with the model.
func (m *Model) Formula() formula.Formula {
	inputs, outputs := m.Dims()
	if outputs == 0 {
		return formula.Formula{}
	}
	return formula.Formula{Inputs: inputs, Intercept: m.Intercept(), Expansions: []kernel.Expansion{m.Expansion()}}
}

// Amplitude returns, for each output, the factor of Kernel in the prior covariance.
func (m *Model) Amplitude() []float64 { return slices.Clone(model.OrZero(m).prior.amplitude) }

// Noise returns the noise variance of each output.
func (m *Model) Noise() []float64 {
	noise := m.Amplitude()
	for o := range noise {
		noise[o] *= m.prior.ratio
	}
	return noise
}

// Predict returns the posterior mean at the rows of x, n×q. Errors wrap rkhs.ErrUnfitted,
// rkhs.ErrShape, rkhs.ErrEmpty, rkhs.ErrNotFinite and rkhs.ErrDomain. The cost is
// O(n·N·(d + q)) for N training rows.
func (m *Model) Predict(x mat.Matrix) (*mat.Dense, error) {
	return model.Predict(pkg, m.function(), x)
}

// PredictTo stores the posterior mean in dst, which must be n×q or empty. It returns the
// errors of Predict.
func (m *Model) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return model.PredictTo(pkg, m.function(), dst, x)
}

// PredictRow sets dst (q numbers) to the posterior mean at a single row x (d numbers). It
// does not allocate and is faster than Predict for one row; results agree up to rounding.
// It returns the errors of Predict.
func (m *Model) PredictRow(dst, x []float64) error {
	return model.PredictRow(pkg, m.function(), dst, x)
}

var modelFormat = codec.Register(codec.Format[Model]{Kind: "gp model",
	Decode: decodeModel,
	Encode: (*Model).encode, Fitted: func(m *Model) bool { return m.function().sum.Points != nil }})

// MarshalBinary returns the model as a file. It returns an error if the kernel cannot be
// encoded.
func (m *Model) MarshalBinary() ([]byte, error) { return modelFormat.File(m) }

// UnmarshalBinary replaces m by the model in data. On an error, which wraps
// rkhs.ErrFormat, m is unchanged.
func (m *Model) UnmarshalBinary(data []byte) error { return modelFormat.Unmarshal(m, data) }

// head lists the fields at the start of a file.
func (m *Model) head() []any {
	o := &m.options
	return append([]any{&o.strict, &o.Tolerance, &o.Iterations, &o.Centres, &o.CacheSize, &o.MemoryLimit, &o.Seed, &m.prior.amplitude, &m.prior.ratio}, m.report.fields()...)
}

func (m *Model) encode(e *codec.Encoder) error {
	e.Fields(m.head()...)
	m.f.units.Encode(e)
	if err := expansion.Encode(e, m.f.sum); err != nil {
		return err
	}
	m.constant.encode(e)
	e.Float64s(m.prior.weights)
	e.Float64s(m.prior.times)
	return search.EncodeResult(e, m.report.Search)
}

// decodeMean decodes the fields of head, the units and the mean.
func decodeMean(d *codec.Decoder) Model {
	m := Model{solving: new(solving)}
	d.Fields(m.head()...)
	strict := m.options.strict
	o, err := m.options.checked()
	o.strict = strict
	if err != nil {
		d.Fail("%v", err)
	}
	m.options = o
	q := len(m.prior.amplitude)
	m.prior.units = descent.DecodeUnits(d, q)
	m.f = function{sum: expansion.Decode(d), units: m.prior.units, rows: new(rowFunction)}
	m.prior.kernel = m.f.sum.Kernel
	if d.Err() != nil {
		return m
	}
	if _, outputs := m.f.Dims(); outputs != q || q < 1 {
		d.Fail("%d amplitudes for %d outputs", q, outputs)
	}
	if slices.ContainsFunc(append(m.Amplitude(), m.prior.ratio), func(v float64) bool { return !(v >= 0) || !compute.Finite(v) }) {
		d.Fail("a variance is negative or not finite")
	}
	return m
}

func decodeModel(d *codec.Decoder) Model {
	m := decodeMean(d)
	m.constant, m.prior.weights, m.prior.times = decodeConstant(d), d.Weights(m.ModelOrder()), d.Weights(m.ModelOrder())
	m.report.Search = search.DecodeResult(d)
	if n := m.constant.weights.Rows; d.Err() == nil && n > 0 && n != m.ModelOrder() {
		d.Fail("%d weights of the constant for %d rows", n, m.ModelOrder())
	}
	return m
}
