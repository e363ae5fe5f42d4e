package polk_test

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/polk"
)

// What neither a fit nor a constructor has made returns errors and zero values.
func TestUnfitted(t *testing.T) {
	ctx, x := context.Background(), scalar(1)
	for _, l := range []*polk.Learner{nil, {}} {
		_, modelErr := l.Model(ctx)
		_, fileErr := l.MarshalBinary()
		unfitted(t, l.Update(x, x), l.Learn(ctx, nil), modelErr, fileErr)
		if l.Rows() != 0 || l.Last() != (polk.Step{}) || l.Report() != (polk.Report{}) {
			t.Errorf("a learner of nothing has %d rows, %+v, %+v", l.Rows(), l.Last(), l.Report())
		}
	}
	for _, l := range []*polk.ClassLearner{nil, {}} {
		_, modelErr := l.Model(ctx)
		_, fileErr := l.MarshalBinary()
		unfitted(t, l.Update(x, x), l.Learn(ctx, nil), modelErr, fileErr)
		if l.Rows() != 0 || l.Last() != (polk.Step{}) || l.Report() != (polk.Report{}) || l.Labels() != nil {
			t.Errorf("a learner of nothing has %d rows, %+v, %+v", l.Rows(), l.Last(), l.Report())
		}
	}
	for _, m := range []*polk.Model{nil, {}} {
		_, predictErr := m.Predict(x)
		_, fileErr := m.MarshalBinary()
		_, _, mergeErr := polk.Merge([]*polk.Model{m}, 0)
		unfitted(t, predictErr, m.PredictTo(new(mat.Dense), x), fileErr, mergeErr)
		d, q := m.Dims()
		if f := m.Expansion(); d+q+m.ModelOrder() != 0 || m.Seed() != 0 || m.Kernel() != nil || m.Intercept() != nil || f.Points != nil || m.Report() != (polk.Report{}) {
			t.Errorf("a model of nothing has %d inputs and %d outputs", d, q)
		}
	}
	for _, c := range []*polk.Classifier{nil, {}} {
		_, predictErr := c.Predict(x)
		_, scoresErr := c.Scores(x)
		_, probaErr := c.Proba(x)
		_, fileErr := c.MarshalBinary()
		_, _, mergeErr := polk.MergeClassifiers([]*polk.Classifier{c}, 0)
		unfitted(t, predictErr, c.PredictTo(new(mat.Dense), x), scoresErr, probaErr, fileErr, mergeErr)
		if d, q := c.Dims(); d+q != 0 || c.Labels() != nil || c.Model() != nil || c.Report() != (polk.Report{}) {
			t.Errorf("a classifier of nothing has %d inputs and %d outputs", d, q)
		}
	}
}

func unfitted(t *testing.T, list ...error) {
	t.Helper()
	for i, err := range list {
		if !errors.Is(err, rkhs.ErrUnfitted) || !strings.HasPrefix(err.Error(), "polk: ") {
			t.Errorf("error %d is %v", i, err)
		}
	}
}

// A context or a stream that is nil is an error.
func TestNilContext(t *testing.T) {
	x, y := sample(50, 1)
	labels := mat.NewDense(50, 1, nil)
	labels.Set(3, 0, 1)
	l, c := newLearner(t, polk.Options{}), newClassLearner(t, polk.Options{})
	update(t, l, x, y)
	update(t, c, x, labels)
	var none context.Context
	_, fitErr := polk.Fit(none, x, y, nil)
	_, classErr := polk.FitClassifier(none, x, labels, nil)
	_, modelErr := l.Model(none)
	_, classModelErr := c.Model(none)
	list := []error{fitErr, classErr, modelErr, classModelErr, l.Learn(none, batches(x, y, 10)), c.Learn(none, batches(x, labels, 10))}
	for i, err := range list {
		if !errors.Is(err, rkhs.ErrOption) || !strings.Contains(err.Error(), "context") {
			t.Errorf("error %d is %v", i, err)
		}
	}
	if err := l.Learn(context.Background(), iter.Seq2[polk.Batch, error](nil)); !errors.Is(err, rkhs.ErrEmpty) {
		t.Errorf("a nil stream: error %v", err)
	}
}

// A model of rows that wait is learned when it is asked for, as far as the context
// lets it come.
func TestModelOfWaitingRowsStops(t *testing.T) {
	x, y := sample(50, 1)
	l := newLearner(t, polk.Options{})
	update(t, l, x, y)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m, err := l.Model(ctx)
	if !errors.Is(err, context.Canceled) || m == nil || m.Report().Status != rkhs.Cancelled || m.ModelOrder() != 0 {
		t.Errorf("model %v, error %v", m, err)
	}
	if m, err = l.Model(context.Background()); err != nil || m.Report().Rows != 50 || l.Report().Rows != 0 || l.Rows() != 50 {
		t.Errorf("model of %d rows, %d learned, error %v", m.Report().Rows, l.Report().Rows, err)
	}
}
