package score

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/recipe"
)

func init() {
	register.DoFn4x1[context.Context, rows.Batch, func(Predictions), func(rows.Rejected), error](&fileFn{})
	register.DoFn5x1[context.Context, rows.Batch, []byte, func(Predictions), func(rows.Rejected), error](&bytesFn{})
	register.Emitter1[Predictions]()
	register.Emitter1[rows.Rejected]()
	register.Function1x1(encode)
	register.Function1x2(decodePredictions)
	beam.RegisterCoder(reflect.TypeOf(Predictions{}), encode, decodePredictions)
}

// Options say what is predicted. The zero value leaves intervals out.
type Options struct {
	// Level is the probability with which the intervals of a regression cover: from 0 on, which
	// means no intervals, and below 1. Models without intervals have none at any level.
	Level float64
}

func (o Options) check() error {
	if !(o.Level >= 0 && o.Level < 1) {
		return fmt.Errorf("score: option Level = %v, want one from 0 on and below 1: %w", o.Level, rkhs.ErrOption)
	}
	return nil
}

// Predictions are those of the rows of a batch.
type Predictions struct {
	// Rows are the rows as they came.
	Rows rows.Batch
	// Columns are the names of the columns of Values: prediction, or prediction 1 and so on of a
	// model of several outputs; of a classifier its label; then, where the model has them, lower and upper, or
	// the probability of each class, such as p(3).
	Columns []string
	// Values holds them, one row behind the other (Rows.Rows·len(Columns)).
	Values []float64
	// Classes holds the texts of the predicted classes, of a recipe of classes; nil of others.
	Classes []string
}

var (
	predictedRows = beam.NewCounter("rkhs", "predicted")
	refusedRows   = beam.NewCounter("rkhs", "refused")
)

// File predicts batches of rows by the model in a file of any of Beam's file systems, which
// workers must reach. A worker loads it once, and lets it go when no function uses it.
//
// A row that the model refuses, for example for a cell that is not of the kind of its column,
// goes to rejected and is counted as refused in namespace rkhs; others count as predicted. A
// model that does not fit the columns fails the pipeline. The error wraps rkhs.ErrOption. O(Predict).
func File(s beam.Scope, batches beam.PCollection, path string, opts Options) (predictions, rejected beam.PCollection, err error) {
	if err := opts.check(); err != nil {
		return predictions, rejected, err
	}
	if path == "" {
		return predictions, rejected, fmt.Errorf("score: no path of a model: %w", rkhs.ErrOption)
	}
	predictions, rejected = beam.ParDo2(s.Scope("score.File"), &fileFn{Path: path, Level: opts.Level}, batches)
	return predictions, rejected, nil
}

// Model is File by the model that is the one element of a collection of []byte, such as a
// step of training in the same pipeline gives.
func Model(s beam.Scope, batches, model beam.PCollection, opts Options) (predictions, rejected beam.PCollection, err error) {
	if err := opts.check(); err != nil {
		return predictions, rejected, err
	}
	predictions, rejected = beam.ParDo2(s.Scope("score.Model"), &bytesFn{Level: opts.Level}, batches, beam.SideInput{Input: model})
	return predictions, rejected, nil
}

// fileFn predicts by the model of a file.
type fileFn struct {
	Path  string
	Level float64
	model *model
}

// Setup is the method that Beam calls before all others.
func (f *fileFn) Setup(ctx context.Context) (err error) {
	if f.model, err = open(ctx, f.Path); err != nil {
		return fmt.Errorf("score: %s: %w", f.Path, err)
	}
	return nil
}

// ProcessElement is the method that Beam calls.
func (f *fileFn) ProcessElement(ctx context.Context, b rows.Batch, emit func(Predictions), reject func(rows.Rejected)) error {
	return run(ctx, f.model, b, f.Level, emit, reject)
}

// bytesFn predicts by the model of a side input.
type bytesFn struct {
	Level float64
	file  []byte // of model
	model *model
}

// ProcessElement is the method that Beam calls.
func (f *bytesFn) ProcessElement(ctx context.Context, b rows.Batch, file []byte, emit func(Predictions), reject func(rows.Rejected)) (err error) {
	if f.model == nil || len(file) == 0 || len(file) != len(f.file) || &file[0] != &f.file[0] {
		if f.model, err = decode(ctx, file); err != nil {
			return fmt.Errorf("score: the model: %w", err)
		}
		f.file = file
	}
	return run(ctx, f.model, b, f.Level, emit, reject)
}

// run predicts a batch. Where one of many rows is at fault, the halves tell which.
func run(ctx context.Context, m *model, b rows.Batch, level float64, emit func(Predictions), reject func(rows.Rejected)) error {
	if err := ctx.Err(); err != nil || b.Rows == 0 {
		return err
	}
	p, err := m.predict(b, level)
	switch half := b.Rows / 2; {
	case err == nil:
		predictedRows.Inc(ctx, int64(b.Rows))
		emit(p)
	case !isRowFault(err):
		return fmt.Errorf("score: %s, from row %d on: %w", b.Source, b.Row(0), err)
	case half > 0:
		if err := run(ctx, m, b.Slice(0, half), level, emit, reject); err != nil {
			return err
		}
		return run(ctx, m, b.Slice(half, b.Rows), level, emit, reject)
	default:
		refusedRows.Inc(ctx, 1)
		reject(rows.Rejected{Source: b.Source, Line: b.Row(0), Reason: err.Error(), Text: strings.Join(b.Cells, ",")})
	}
	return nil
}

// isRowFault tells what one row is to blame for.
func isRowFault(err error) bool {
	return errors.Is(err, rkhs.ErrFormat) || errors.Is(err, rkhs.ErrNotFinite) || errors.Is(err, rkhs.ErrDomain)
}

// numbers predicts rows of numbers.
func (p *Predictions) numbers(m rkhs.Model, x mat.Matrix, level float64) error {
	y, err := m.Predict(x)
	if err != nil {
		return err
	}
	_, q := y.Dims()
	p.add(outputs("prediction", q), y)
	if by, ok := m.(rkhs.Intervaled); ok && level != 0 {
		lower, upper, err := by.Interval(x, level)
		if errors.Is(err, rkhs.ErrUncalibrated) {
			return nil
		}
		if err != nil {
			return err
		}
		p.add(outputs("lower", q), lower)
		p.add(outputs("upper", q), upper)
	}
	if by, ok := m.(rkhs.Probabilistic); ok {
		proba, err := by.Proba(x)
		if errors.Is(err, rkhs.ErrUncalibrated) {
			return nil
		}
		if err != nil {
			return err
		}
		names := make([]string, len(by.Labels()))
		for k, label := range by.Labels() {
			names[k] = "p(" + strconv.Itoa(label) + ")"
		}
		p.add(names, proba)
	}
	return nil
}

// cells predicts the rows of a table.
func (p *Predictions) cells(m *recipe.Model, t *dataset.Table, level float64) error {
	of, err := m.PredictIntervals(t, level)
	if err != nil {
		return err
	}
	n := p.Rows.Rows
	p.Classes = of.Classes
	p.add([]string{"prediction"}, mat.NewDense(n, 1, of.Values))
	if of.Lower != nil {
		p.add([]string{"lower"}, mat.NewDense(n, 1, of.Lower))
		p.add([]string{"upper"}, mat.NewDense(n, 1, of.Upper))
	}
	if of.Proba != nil {
		names := make([]string, len(of.Names))
		for k, name := range of.Names {
			names[k] = "p(" + name + ")"
		}
		p.add(names, of.Proba)
	}
	return nil
}

// encode is the coder of Predictions.
func encode(p Predictions) []byte {
	var e codec.Encoder
	e.Bytes(rows.Encode(p.Rows))
	e.Float64s(p.Values)
	for _, texts := range [][]string{p.Columns, p.Classes} {
		e.Int(len(texts))
		for _, text := range texts {
			e.String(text)
		}
	}
	return e.Payload()
}

func decodePredictions(data []byte) (p Predictions, err error) {
	d := codec.NewDecoder(data)
	if p.Rows, err = rows.Decode(d.Bytes()); err != nil {
		return Predictions{}, fmt.Errorf("score: bytes of predictions: %w", err)
	}
	p.Values = make([]float64, d.Count(8))
	for i := range p.Values {
		p.Values[i] = d.Float64()
	}
	for _, texts := range []*[]string{&p.Columns, &p.Classes} {
		for range d.Count(8) {
			*texts = append(*texts, d.String())
		}
	}
	if len(p.Values) != p.Rows.Rows*len(p.Columns) || p.Classes != nil && len(p.Classes) != p.Rows.Rows {
		d.Fail("%d values and %d classes of %d rows with %d columns", len(p.Values), len(p.Classes), p.Rows.Rows, len(p.Columns))
	}
	if err := d.Close(); err != nil {
		return Predictions{}, fmt.Errorf("score: bytes of predictions: %w", err)
	}
	return p, nil
}
