package alignment

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/kernel"
)

// Model is a fitted function
//
//	f_o(x) = b_o + Σ_i w_io·k(x, x_i)
//
// of a learned kernel k. It is immutable and safe for concurrent use. Methods of an
// unfitted Model return zero values, or an error that wraps rkhs.ErrUnfitted.
type Model struct {
	sum     model.Sum // with one term
	learned Result
	report  Report
	seed    uint64

	intervals calibrate.Intervals // of a regression
}

// newModel keeps the points with nonzero weights.
func newModel(s *settings, learned *Result, f *solution) *Model {
	var list []int
	for i := range f.weights.Rows {
		if floats.Norm(compute.Row(f.weights, i), 1) > 0 {
			list = append(list, i)
		}
	}
	f.report.ModelOrder = len(list)
	term := expansion.Of(learned.simplest(), compute.DensePoints(compute.Pick(f.points, list)), compute.Pick(f.weights, list))
	return &Model{
		sum:     model.NewSum(f.points.Cols, f.intercept, []kernel.Expansion{term}, s.Workers),
		learned: *learned,
		report:  f.report,
		seed:    s.Seed,
	}
}

// function returns f, which has no outputs for an unfitted model.
func (m *Model) function() *model.Sum { return &model.OrZero(m).sum }

func (m *Model) fitted() bool { return len(m.function().Intercept) > 0 }

// Dims returns the number of inputs d and of outputs q.
func (m *Model) Dims() (inputs, outputs int) { return m.function().Dims() }

// ModelOrder returns the number m of points x_i.
func (m *Model) ModelOrder() int { return m.function().ModelOrder() }

// Kernel returns the kernel of Learned in its cheapest form.
func (m *Model) Kernel() kernel.Kernel { return kernel.Clone(m.function().Term().Kernel) }

// Expansion returns f without its constants: points x_i, m×d, and weights, m×q.
func (m *Model) Expansion() kernel.Expansion { return m.function().Term().Clone() }

// Formula returns the model as a formula that shares no memory with it.
func (m *Model) Formula() formula.Formula { return m.function().Formula() }

// Intercept returns the constants b, one for each output.
func (m *Model) Intercept() []float64 { return m.function().Constants() }

// Learned returns the result of the kernel search.
func (m *Model) Learned() Result { return model.OrZero(m).learned.clone() }

// Report returns the certificate of the model.
func (m *Model) Report() Report {
	m = model.OrZero(m)
	r := m.report
	r.Search, r.Calibration = cloneSearch(m.learned.Search), m.intervals.Report()
	return r
}

// Seed returns the seed of the fit.
func (m *Model) Seed() uint64 { return model.OrZero(m).seed }

// Predict returns f(x), n×q for n rows. For a model of m points it needs O(n·m·(d + q))
// operations for each distance that the kernels in the sum depend on.
func (m *Model) Predict(x mat.Matrix) (*mat.Dense, error) {
	return model.Predict(pkg, m.function(), x)
}

// PredictTo stores f(x) in dst, which must be n×q or empty. Errors wrap rkhs.ErrShape,
// rkhs.ErrEmpty, rkhs.ErrNotFinite, rkhs.ErrDomain and rkhs.ErrUnfitted.
func (m *Model) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return model.PredictTo(pkg, m.function(), dst, x)
}

// PredictRow sets dst, of length q, to f(x) of a single row x, of length d. It does not
// allocate. The result equals Predict up to rounding, with the same errors.
func (m *Model) PredictRow(dst, x []float64) error {
	return model.PredictRow(pkg, m.function(), dst, x)
}

// Interval returns the lower and upper bounds, n×q, of intervals that cover the targets of
// the rows x with the given coverage, by split conformal prediction on the errors at unseen
// rows (see Report.Calibration). Errors are as for Predict, rkhs.ErrNoCalibration, and
// rkhs.ErrOption for a coverage outside (0, 1) or too high for the number of errors.
func (m *Model) Interval(x mat.Matrix, coverage float64) (lower, upper *mat.Dense, err error) {
	return model.Interval(pkg, &model.OrZero(m).intervals, m.function(), x, coverage)
}

var modelFormat = codec.Register(codec.Format[Model]{Kind: "alignment model", Decode: decodeModel,
	Encode: (*Model).encode, Fitted: (*Model).fitted})

// MarshalBinary returns the model as a file. It returns an error if a kernel cannot be
// encoded, and rkhs.ErrUnfitted for an unfitted model.
func (m *Model) MarshalBinary() ([]byte, error) { return modelFormat.File(m) }

// UnmarshalBinary replaces m by the model in data. An error wraps rkhs.ErrFormat and
// leaves m unchanged.
func (m *Model) UnmarshalBinary(data []byte) error { return modelFormat.Unmarshal(m, data) }

func (m *Model) encode(e *codec.Encoder) error {
	err := m.encodeFunction(e)
	m.intervals.Encode(e)
	return err
}

// encodeFunction writes everything except the intervals.
func (m *Model) encodeFunction(e *codec.Encoder) error {
	e.Uint64(m.seed)
	m.report.encode(e)
	if err := m.learned.encode(e); err != nil {
		return err
	}
	return m.sum.Encode(e)
}

func decodeModel(d *codec.Decoder) Model {
	m := decodeFunction(d)
	m.intervals = calibrate.DecodeIntervals(d)
	m.intervals.Check(d, m.sum.Inputs, len(m.sum.Intercept))
	return m
}

func decodeFunction(d *codec.Decoder) Model {
	m := Model{seed: d.Uint64(), report: decodeReport(d), learned: decodeResult(d), sum: model.DecodeSum(d)}
	if d.Err() == nil && len(m.sum.Terms) != 1 {
		d.Fail("%d terms", len(m.sum.Terms))
	}
	return m
}
