package doublysgd

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/loss"
)

// Quantiles are several quantiles of one target, as functions of d inputs which do not
// cross. It is immutable and safe for concurrent use.
type Quantiles struct {
	model *Model
	taus  []float64 // ascending
}

// FitQuantiles learns the quantiles taus, ascending in (0, 1), of targets y (n×1) from
// rows x (n×d): for each the function of the least loss.Pinball. They share kernel, ridge,
// features and normal equations, so that a fit takes little longer than that of one.
// Options.Loss must be nil. Beyond the errors of Fit, rkhs.ErrOption reports taus that are
// not as they should be, and rkhs.ErrShape several targets.
//
// Functions that are learned one by one may cross where rows are few. The values at a
// point are put in ascending order, which brings them nearer to those of the true
// quantiles (Chernozhukov, Fernández-Val and Galichon, "Quantile and probability curves
// without crossing", Econometrica 78, 2010).
func FitQuantiles(ctx context.Context, x, y mat.Matrix, taus []float64, opts *Options) (*Quantiles, error) {
	s, err := opts.quantiles(taus)
	if err != nil {
		return nil, err
	}
	if err := door.Context(pkg, ctx); err != nil {
		return nil, err
	}
	w, err := door.WeighedPair(pkg, door.Points, x, y)
	if err != nil {
		return nil, err
	}
	if w.Y.Cols != 1 {
		return nil, fmt.Errorf("doublysgd: y has %d columns, quantiles are those of 1: %w", w.Y.Cols, rkhs.ErrShape)
	}
	copies := compute.NewMatrix(w.Y.Rows, len(taus))
	for i := range copies.Rows {
		for o := range taus {
			copies.Data[i*copies.Stride+o] = compute.Row(w.Y, i)[0]
		}
	}
	w.Y, w.Weights = copies, door.MeanOne(w.Weights)
	t, err := newTask(s, w, nil)
	if err != nil {
		return nil, err
	}
	m, _, err := t.fit(ctx)
	if m == nil {
		return nil, err
	}
	return &Quantiles{m, slices.Clone(taus)}, err
}

// quantiles returns the settings of a fit of several quantiles.
func (o *Options) quantiles(taus []float64) (*settings, error) {
	if o != nil && o.Loss != nil {
		return nil, fmt.Errorf("doublysgd: FitQuantiles does not use Loss: %w", rkhs.ErrOption)
	}
	if err := checkTaus(taus); err != nil {
		return nil, fmt.Errorf("doublysgd: %w: %w", err, rkhs.ErrOption)
	}
	var with Options
	if o != nil {
		with = *o
	}
	with.Loss = loss.Pinball{Tau: taus[len(taus)/2]}
	s, err := with.settings(0, false)
	if err != nil {
		return nil, err
	}
	for _, tau := range taus {
		s.each = append(s.each, loss.Pinball{Tau: tau})
	}
	return s, nil
}

func checkTaus(taus []float64) error {
	if len(taus) == 0 {
		return fmt.Errorf("there are no taus")
	}
	last := 0.0
	for _, tau := range taus {
		if !(tau > last && tau < 1) {
			return fmt.Errorf("taus %v must ascend between 0 and 1", taus)
		}
		last = tau
	}
	return nil
}

// sorted is a function with its values in ascending order.
type sorted struct{ function }

// EvalTo sets dst to f(x).
func (f sorted) EvalTo(dst compute.Matrix, x compute.Points) error {
	err := f.function.EvalTo(dst, x)
	for i := range dst.Rows {
		slices.Sort(compute.Row(dst, i))
	}
	return err
}

// EvalRow sets dst = f(x) of a single row.
func (f sorted) EvalRow(dst, x []float64) error {
	err := f.function.EvalRow(dst, x)
	slices.Sort(dst)
	return err
}

// Model returns the functions as they were learned, which may cross.
func (q *Quantiles) Model() *Model {
	if q == nil {
		return nil
	}
	return q.model
}

// Taus returns the fractions of the targets that lie below.
func (q *Quantiles) Taus() []float64 {
	if q == nil {
		return nil
	}
	return slices.Clone(q.taus)
}

// Formula writes the quantiles out, without sharing memory: predictions are the values of
// Model in ascending order.
func (q *Quantiles) Formula() formula.Formula {
	return model.Predicting(q.Model().Formula(), formula.Ascending)
}

// Dims returns the number of inputs d and of quantiles.
func (q *Quantiles) Dims() (inputs, outputs int) { return q.Model().Dims() }

// Report says how the quantiles were found.
func (q *Quantiles) Report() Report { return q.Model().Report() }

// Predict returns the quantiles at rows x, a column each, ascending in every row. Errors
// are those of Model.Predict.
func (q *Quantiles) Predict(x mat.Matrix) (*mat.Dense, error) {
	return model.Predict(pkg, sorted{q.Model().function()}, x)
}

// PredictTo stores the quantiles in dst, which must have their size or be empty.
func (q *Quantiles) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return model.PredictTo(pkg, sorted{q.Model().function()}, dst, x)
}

// PredictRow sets dst to the quantiles at a single row x, as Model.PredictRow does.
func (q *Quantiles) PredictRow(dst, x []float64) error {
	return model.PredictRow(pkg, sorted{q.Model().function()}, dst, x)
}

var quantilesFormat = codec.Register(codec.Format[Quantiles]{Kind: "doublysgd quantiles", Versions: []func(*codec.Decoder) Quantiles{decodeQuantiles},
	Encode: (*Quantiles).encode, Fitted: func(q *Quantiles) bool { return q.Model().fitted() }})

// MarshalBinary returns the quantiles as a file. It fails if the kernel cannot be
// written.
func (q *Quantiles) MarshalBinary() ([]byte, error) { return quantilesFormat.File(q) }

// UnmarshalBinary replaces q by the quantiles in data. On an error, which wraps
// rkhs.ErrFormat, q is left as it was.
func (q *Quantiles) UnmarshalBinary(data []byte) error { return quantilesFormat.Unmarshal(q, data) }

func (q *Quantiles) encode(e *codec.Encoder) error {
	e.Float64s(q.taus)
	return q.model.encode(e)
}

func decodeQuantiles(d *codec.Decoder) Quantiles {
	taus := d.Float64s()
	m := decodeModel(d)
	if d.Err() == nil && (checkTaus(taus) != nil || m.f.features.Outputs != len(taus)) {
		d.Fail("the quantiles %v of %d outputs", taus, m.f.features.Outputs)
	}
	return Quantiles{&m, taus}
}
