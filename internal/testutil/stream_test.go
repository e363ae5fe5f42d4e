package testutil

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/input"
)

// toyStream is stochastic gradient descent in the space of a Gaussian kernel. The coefficient of a row
// is proportional to its error.
type toyStream struct {
	fault
	rows    [][]float64
	a       []float64
	workers int
	asked   int
	made    bool
	sparse  bool // whether a batch was sparse, for a fault
}

var toyStreamFormat = codec.Register(codec.Format[toyStream]{Kind: "toy stream", Decode: decodeToyStream})

func (s *toyStream) fitted(method string) error {
	return input.Fitted("toy", method, s != nil && s.made)
}

func streamOf(f fault) Stream[*toyStream, *toyModel] {
	return Stream[*toyStream, *toyModel]{
		Package: "toy",
		New: func(_ uint64, workers int) (*toyStream, error) {
			return &toyStream{fault: f, workers: workers, made: true}, nil
		},
		Empty:   func() *toyStream { return &toyStream{fault: f} },
		Update:  (*toyStream).Update,
		Repeats: 1e-9,
		Exact:   f == "fixed width",
		Model:   func(s *toyStream) (*toyModel, error) { return s.Model(context.Background()) },
	}
}

func (s *toyStream) Update(x, y mat.Matrix) error {
	if err := s.fitted("Update"); err != nil {
		return err
	}
	if s.fault == "scans twice" {
		input.Check("toy", "x", x)
	}
	x, weights, err := s.weigh(x)
	if err != nil {
		return err
	}
	xs, err := input.Rows("toy", "x", x)
	if err == nil && len(s.rows) > 0 && xs.Cols != len(s.rows[0]) {
		err = fmt.Errorf("toy: x has %d columns, want %d: %w", xs.Cols, len(s.rows[0]), rkhs.ErrShape)
	}
	if err != nil {
		return err
	}
	if s.fault == "trusts y" {
		s.add(xs.Data[:xs.Cols], 0)
	}
	ys, err := input.Rows("toy", "y", y)
	if err != nil {
		return err
	}
	if xs.Rows != ys.Rows {
		return fmt.Errorf("toy: x has %d rows, y has %d: %w", xs.Rows, ys.Rows, rkhs.ErrShape)
	}
	s.sparse = s.sparse || input.IsSparse(x)
	s.addAll(x, xs, ys, weights)
	return nil
}

// weigh returns the rows and their weights, or nil.
func (s *toyStream) weigh(x mat.Matrix) (mat.Matrix, []float64, error) {
	w, ok := x.(rkhs.Weighted)
	if !ok {
		return x, nil, nil
	}
	if s.fault == "any weight" {
		return w.Matrix, w.Weights, nil
	}
	return input.Weights("toy", "x", x)
}

// addAll adds valid rows.
func (s *toyStream) addAll(x mat.Matrix, xs, ys blas64.General, weights []float64) {
	for i, v := range ys.Data {
		at := xs.Data[i*xs.Cols : (i+1)*xs.Cols]
		d, ok := x.(*mat.Dense)
		switch {
		case s.fault == "keeps x" && ok:
			at = d.RawRowView(i)
		case s.fault == "writes to x" && ok:
			d.Set(i, 0, 0)
		case s.fault == "stride ignored" && ok:
			at = slices.Clone(d.RawMatrix().Data[i*xs.Cols : (i+1)*xs.Cols])
		case s.fault == "mean only":
			v = 0
		case s.fault == "forgets sparse batches" && s.sparse:
			v += 1e-9
		case s.fault == "workers":
			v += 1e-12 * float64(s.workers)
		}
		times := 1
		if weights != nil && s.fault != "ignores weights" {
			times = int(weights[i])
		}
		for range times {
			s.add(at, v)
		}
	}
}

func (s *toyStream) add(x []float64, y float64) {
	p := 0.0
	m := toyModel{sigma: 1}
	for i, r := range s.rows {
		p += s.a[i] * m.eval(x, r)
	}
	if s.fault == "snapshot shares" && len(s.a) > 0 {
		s.a[0] += 1e-9
	}
	s.rows, s.a = append(s.rows, x), append(s.a, 0.6*(y-p))
}

func (s *toyStream) Model(ctx context.Context) (*toyModel, error) {
	if err := s.fitted("Model"); err != nil {
		return nil, err
	}
	if err := input.Context("toy", ctx); err != nil && s.fault != "any context" {
		return nil, err
	}
	n := len(s.rows)
	if n == 0 {
		if s.fault == "model of nothing" {
			return &toyModel{}, fmt.Errorf("toy: %w", rkhs.ErrEmpty)
		}
		if s.fault == "bare error" {
			return nil, errors.New("toy: nothing")
		}
		return nil, fmt.Errorf("toy: %w", rkhs.ErrEmpty)
	}
	if s.fault == "counts questions" {
		s.asked++
	}
	m := &toyModel{x: mat.NewDense(n, len(s.rows[0]), slices.Concat(s.rows...)), a: mat.NewDense(n, 1, slices.Clone(s.a)), mean: []float64{0}, sigma: 1}
	if s.fault == "snapshot shares" {
		m.a = mat.NewDense(n, 1, s.a)
	}
	return m, nil
}

func (s *toyStream) MarshalBinary() ([]byte, error) {
	if err := s.fitted("MarshalBinary"); err != nil {
		return nil, err
	}
	var e codec.Encoder
	e.Int(len(s.rows))
	for i, r := range s.rows {
		e.Float64s(r)
		if s.fault == "rounded" {
			e.Float64(float64(float32(s.a[i])))
		} else {
			e.Float64(s.a[i])
		}
	}
	e.Int(s.asked)
	return codec.Marshal("toy stream", 1, e.Payload()), nil
}

func (s *toyStream) UnmarshalBinary(data []byte) error {
	var loaded toyStream
	err := toyStreamFormat.Unmarshal(&loaded, data)
	switch {
	case err == nil && s == nil:
		return fmt.Errorf("toy: nil receiver: %w", rkhs.ErrFormat)
	case err == nil:
		loaded.fault = s.fault
		*s = loaded
	case s != nil && s.fault == "cleared":
		s.rows, s.a = nil, nil
	}
	return err
}

func decodeToyStream(d *codec.Decoder) toyStream {
	s := toyStream{made: true}
	for range d.Count(16) {
		s.rows, s.a = append(s.rows, d.Float64s()), append(s.a, d.Finite())
	}
	s.asked = d.Int()
	return s
}

var streamFindings = []finding{
	{"mean only", "model", "a constant has"},
	{"writes to x", "data untouched", "Update wrote"},
	{"keeps x", "data untouched", "changes with its data"},
	{"trusts y", "bad input", "a rejected batch changed"},
	{"counts questions", "snapshot", "Model changes"},
	{"snapshot shares", "snapshot", "a model changes with later batches"},
	{"model of nothing", "no rows", "a model with the error"},
	{"bare error", "no rows", "does not wrap an error of package rkhs"},
	{"rounded", "resume", "other bits"},
	{"forgets sparse batches", "resume", "one of 3 sparse"},
	{"stride ignored", "types of matrix", "strided"},
	{"workers", "workers", "2 workers"},
	{"cleared", "damaged file", "a damaged file changed"},
	{"any context", "nil context", "Model: error"},
	{"scans twice", "scanned once", "Update scans 3 rows"},
	{"ignores weights", "weights", "rows repeated"},
	{"any weight", "weights", "a negative weight"},
	{"fixed width", "powers of two", "rows times 2^130: other predictions"},
}

func TestCheckStreamPassesAGoodLearner(t *testing.T) { CheckStream(t, streamOf(none)) }

func TestCheckStreamFindsFaults(t *testing.T) {
	for _, f := range streamFindings {
		f.expect(t, streamOf(f.fault).checks())
	}
}
