package score

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/beam/rows"
)

func init() {
	register.DoFn4x1[context.Context, rows.Batch, func(Predictions), func(rows.Rejected), error](&fileFn{})
	register.DoFn5x1[context.Context, rows.Batch, []byte, func(Predictions), func(rows.Rejected), error](&bytesFn{})
	register.Emitter1[Predictions]()
	register.Emitter1[rows.Rejected]()
	register.Function1x2(encode)
	register.Function1x2(decodePredictions)
	beam.RegisterCoder(reflect.TypeOf(Predictions{}), encode, decodePredictions)
}

// Options configures a prediction. The zero value predicts without intervals.
type Options struct {
	// Coverage is the coverage of the intervals of a regression, in [0, 1). Default: 0, no intervals.
	// Models without intervals ignore Coverage.
	Coverage float64
}

func (o Options) check() error {
	if !(o.Coverage >= 0 && o.Coverage < 1) {
		return fmt.Errorf("score: option Coverage = %v, want one from 0 on and below 1: %w", o.Coverage, rkhs.ErrOption)
	}
	return nil
}

// Predictions are the predictions for the rows of a batch.
type Predictions struct {
	// Rows are the input rows.
	Rows rows.Batch
	// Columns are the names of the columns of Values. The first is prediction, or prediction 1 and so
	// on for several outputs. If the model has intervals or probabilities, lower and upper, or the
	// probability of each class such as p(3), follow.
	Columns []string
	// Values are the numbers, row-major (Rows.Rows·len(Columns)).
	Values []float64
	// Classes are the texts of the predicted classes of a recipe, or nil.
	Classes []string
}

var (
	predictedRows = beam.NewCounter("rkhs", "predicted")
	failedRows    = beam.NewCounter("rkhs", "failed")
)

// File predicts batches of rows with the model in a file of any of Beam's file systems, which
// workers must reach. A worker loads it once, and releases it when no function uses it.
//
// rejected receives the rows that the model rejects, for example because a cell is not of the kind
// of its column. Counters failed and predicted of namespace rkhs count rows. A model that does not
// fit the columns fails the pipeline. Errors wrap rkhs.ErrOption. The cost is that of Predict.
func File(s beam.Scope, batches beam.PCollection, path string, opts Options) (predictions, rejected beam.PCollection, err error) {
	if err := opts.check(); err != nil {
		return predictions, rejected, err
	}
	if path == "" {
		return predictions, rejected, fmt.Errorf("score: no path of a model: %w", rkhs.ErrOption)
	}
	predictions, rejected = beam.ParDo2(s.Scope("score.File"), &fileFn{Path: path, Coverage: opts.Coverage}, batches)
	return predictions, rejected, nil
}

// Model is File with the model in the one element of a collection of []byte, such as the result of
// training in the same pipeline.
func Model(s beam.Scope, batches, model beam.PCollection, opts Options) (predictions, rejected beam.PCollection, err error) {
	if err := opts.check(); err != nil {
		return predictions, rejected, err
	}
	predictions, rejected = beam.ParDo2(s.Scope("score.Model"), &bytesFn{Coverage: opts.Coverage}, batches, beam.SideInput{Input: model})
	return predictions, rejected, nil
}

// fileFn predicts with the model of a file.
type fileFn struct {
	Path     string
	Coverage float64
	model    *model
}

// Setup implements a DoFn.
func (f *fileFn) Setup(ctx context.Context) (err error) {
	if f.model, err = open(ctx, f.Path); err != nil {
		return fmt.Errorf("score: %s: %w", f.Path, err)
	}
	return nil
}

// ProcessElement implements a DoFn.
func (f *fileFn) ProcessElement(ctx context.Context, b rows.Batch, emit func(Predictions), reject func(rows.Rejected)) error {
	return run(ctx, f.model, b, f.Coverage, emit, reject)
}

// bytesFn predicts with the model of a side input.
type bytesFn struct {
	Coverage float64
	file     []byte // of model
	model    *model
}

// ProcessElement implements a DoFn.
func (f *bytesFn) ProcessElement(ctx context.Context, b rows.Batch, file []byte, emit func(Predictions), reject func(rows.Rejected)) (err error) {
	if f.model == nil || len(file) == 0 || len(file) != len(f.file) || &file[0] != &f.file[0] {
		if f.model, err = decode(ctx, file); err != nil {
			return fmt.Errorf("score: the model: %w", err)
		}
		f.file = file
	}
	return run(ctx, f.model, b, f.Coverage, emit, reject)
}

// run predicts a batch. If that fails, it predicts both halves to find the invalid rows.
func run(ctx context.Context, m *model, b rows.Batch, coverage float64, emit func(Predictions), reject func(rows.Rejected)) error {
	if err := ctx.Err(); err != nil || b.Rows == 0 {
		return err
	}
	p, err := m.predict(b, coverage)
	switch half := b.Rows / 2; {
	case err == nil:
		predictedRows.Inc(ctx, int64(b.Rows))
		emit(p)
	case !isRowFault(err):
		return fmt.Errorf("score: %s, from row %d on: %w", b.Source, b.Row(0), err)
	case half > 0:
		if err := run(ctx, m, b.Slice(0, half), coverage, emit, reject); err != nil {
			return err
		}
		return run(ctx, m, b.Slice(half, b.Rows), coverage, emit, reject)
	default:
		failedRows.Inc(ctx, 1)
		reject(rows.Rejected{Source: b.Source, Line: b.Row(0), Reason: err.Error(), Text: strings.Join(b.Cells, ",")})
	}
	return nil
}

// isRowFault reports whether a single row can cause an error.
func isRowFault(err error) bool {
	return errors.Is(err, rkhs.ErrFormat) || errors.Is(err, rkhs.ErrNotFinite) || errors.Is(err, rkhs.ErrDomain)
}

// encoded is the encoded form of Predictions.
type encoded struct {
	Rows             []byte
	Columns, Classes []string
	Values           []float64
}

func encode(p Predictions) ([]byte, error) {
	var buf bytes.Buffer
	err := gob.NewEncoder(&buf).Encode(encoded{rows.Encode(p.Rows), p.Columns, p.Classes, p.Values})
	return buf.Bytes(), err
}

// decodePredictions is the inverse of encode. Errors wrap rkhs.ErrFormat.
func decodePredictions(data []byte) (p Predictions, err error) {
	var e encoded
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&e); err != nil {
		return p, fmt.Errorf("score: bytes of predictions: %v: %w", err, rkhs.ErrFormat)
	}
	b, err := rows.Decode(e.Rows)
	if err != nil {
		return p, fmt.Errorf("score: bytes of predictions: %w", err)
	}
	if len(e.Values) != b.Rows*len(e.Columns) || e.Classes != nil && len(e.Classes) != b.Rows {
		return p, fmt.Errorf("score: %d values and %d classes of %d rows with %d columns: %w",
			len(e.Values), len(e.Classes), b.Rows, len(e.Columns), rkhs.ErrFormat)
	}
	return Predictions{b, e.Columns, e.Values, e.Classes}, nil
}
