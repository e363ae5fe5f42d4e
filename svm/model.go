package svm

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/kernel"
)

// Model is a fitted function
//
//	f_o(x) = b_o + Σ_i β_io·k(x, x_i)
//
// of the rows x_i that are support vectors. It is immutable and safe for concurrent use.
// Methods of a Model that was not fitted return zero values, or an error that wraps
// rkhs.ErrUnfitted.
type Model struct {
	sum         model.Sum // of a single term
	support     []int     // numbers of the rows, or nil where a file does not tell
	precomputed bool      // rows are those of the kernel with all that were fitted to
	report      Report
	seed        uint64
	intervals   calibrate.Intervals // of a regression
}

// model returns the function of coefficients of the rows, n×q, or rkhs.ErrDiverged if a number
// of it is not finite.
func (p *problem) model(weights compute.Matrix, intercept []float64) (*Model, error) {
	if !compute.AllFinite(weights) || !compute.AllFinite(compute.ColumnOf(intercept)) {
		return nil, fmt.Errorf("svm: a coefficient is not finite: %w", rkhs.ErrDiverged)
	}
	var kept []int
	for i := range weights.Rows {
		if slices.ContainsFunc(compute.Row(weights, i), func(w float64) bool { return w != 0 }) {
			kept = append(kept, i)
		}
	}
	m := &Model{support: kept, precomputed: p.options.Precomputed, seed: p.options.Seed}
	k, points := p.of.Kernel, p.x.Pick(kept)
	if m.precomputed {
		m.support = nil
		for _, i := range kept {
			m.support = append(m.support, p.columns[i])
		}
		k, points = kernel.Linear{}, units(m.support, p.inputs)
	}
	m.sum = model.NewSum(p.inputs, intercept, []kernel.Expansion{expansion.Of(k, points, compute.Pick(weights, kept))}, p.options.Workers)
	p.report.ModelOrder = len(kept)
	err := p.why()
	m.report = p.report
	return m, err
}

// function returns f, without outputs for a model that was not fitted.
func (m *Model) function() *model.Sum { return &model.OrZero(m).sum }

// Dims returns the number of inputs, d or that of the rows of a Gram matrix, and of outputs q.
func (m *Model) Dims() (inputs, outputs int) { return m.function().Dims() }

// ModelOrder returns the number of support vectors.
func (m *Model) ModelOrder() int { return m.function().ModelOrder() }

// Kernel returns k; nil where its values were Precomputed.
func (m *Model) Kernel() kernel.Kernel {
	if model.OrZero(m).precomputed {
		return nil
	}
	return kernel.Clone(m.function().Term().Kernel)
}

// Expansion returns f less its constants: the support vectors, m×d, and β, m×q; a copy. Where
// the kernel was Precomputed it is the linear function of its values with all rows: the points
// are 1 at the support vector and 0 elsewhere, and the kernel is kernel.Linear.
func (m *Model) Expansion() kernel.Expansion { return m.function().Term().Clone() }

// Formula writes the model out, without sharing memory.
func (m *Model) Formula() formula.Formula { return m.function().Formula() }

// Intercept returns the constants b, one for each output.
func (m *Model) Intercept() []float64 { return m.function().Constants() }

// Support returns the numbers of the rows that are support vectors, ascending, in the order of
// the points of Expansion. Rows of weight zero, which are as rows that are not there, are not
// counted, but where the kernel was Precomputed all columns are. It is nil of a model that was
// read from a file of LIBSVM with rows.
func (m *Model) Support() []int { return slices.Clone(model.OrZero(m).support) }

// Report says how f was found.
func (m *Model) Report() Report {
	m = model.OrZero(m)
	r := m.report.clone()
	r.Calibration = m.intervals.Report()
	return r
}

// Seed returns the seed of the fit.
func (m *Model) Seed() uint64 { return model.OrZero(m).seed }

// Predict returns f(x), n×q for n rows. Errors wrap rkhs.ErrUnfitted, rkhs.ErrShape,
// rkhs.ErrEmpty, rkhs.ErrNotFinite and rkhs.ErrDomain. O(n·m·(d + q)) for m support vectors.
func (m *Model) Predict(x mat.Matrix) (*mat.Dense, error) {
	return model.Predict(pkg, m.function(), x)
}

// PredictTo stores f(x) in dst, which must be n×q or empty. Errors are those of Predict.
func (m *Model) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return model.PredictTo(pkg, m.function(), dst, x)
}

// PredictRow sets dst, of q numbers, to f(x) of a single row x, of d, up to rounding what Predict
// says, without allocating and without what blocks of rows cost to set up. Errors are those of Predict.
func (m *Model) PredictRow(dst, x []float64) error {
	return model.PredictRow(pkg, m.function(), dst, x)
}

// Interval returns the ends, n×q, of intervals that cover targets of the rows x with a
// probability of the given level: f(x) and as much on either side as errors at rows that were not
// learned from tell (split conformal prediction; Report.Calibration). The errors are those
// of Predict, rkhs.ErrOption for a level outside of (0, 1), or so high that the rows cannot
// tell, and rkhs.ErrUncalibrated.
func (m *Model) Interval(x mat.Matrix, level float64) (lower, upper *mat.Dense, err error) {
	return model.Interval(pkg, &model.OrZero(m).intervals, m.function(), x, level)
}

var modelFormat = codec.Register(codec.Format[Model]{Kind: "svm model", Decode: decodeWhole,
	Encode: (*Model).encodeWhole, Fitted: (*Model).fitted})

func (m *Model) fitted() bool { return len(m.function().Terms) > 0 }

// MarshalBinary returns the model as a file. It fails if the kernel cannot be written.
func (m *Model) MarshalBinary() ([]byte, error) { return modelFormat.File(m) }

// UnmarshalBinary replaces m by the model in data. On an error, which wraps rkhs.ErrFormat, m
// is left as it was.
func (m *Model) UnmarshalBinary(data []byte) error { return modelFormat.Unmarshal(m, data) }

func (m *Model) encode(e *codec.Encoder) error {
	e.Uint64(m.seed)
	e.Bool(m.precomputed)
	e.Ints(m.support)
	e.Fields(m.report.fields()...)
	m.report.encodeCurve(e)
	if err := choose.EncodeChoice(e, m.report.Choice); err != nil {
		return err
	}
	return m.sum.Encode(e)
}

// encodeWhole writes the intervals too, which are not those of scores.
func (m *Model) encodeWhole(e *codec.Encoder) error {
	if err := m.encode(e); err != nil {
		return err
	}
	m.intervals.Encode(e)
	return nil
}

func decodeWhole(d *codec.Decoder) Model {
	m := decodeModel(d)
	m.intervals = calibrate.DecodeIntervals(d)
	m.intervals.Check(d, m.sum.Inputs, len(m.sum.Intercept))
	return m
}

func decodeModel(d *codec.Decoder) Model {
	m := Model{seed: d.Uint64(), precomputed: d.Bool(), support: d.Ints()}
	d.Fields(m.report.fields()...)
	m.report.Curve = decodeCurve(d)
	m.report.Choice = choose.DecodeChoice(d)
	m.sum = model.DecodeSum(d)
	if d.Err() != nil {
		return m
	}
	_, q := m.Dims()
	switch {
	case len(m.sum.Terms) != 1:
		d.Fail("%d terms", len(m.sum.Terms))
	case !m.report.fits(q):
		d.Fail("a report that is not of %d outputs", q)
	case len(m.support) != 0 && len(m.support) != m.ModelOrder():
		d.Fail("%d numbers of rows for %d support vectors", len(m.support), m.ModelOrder())
	}
	return m
}
