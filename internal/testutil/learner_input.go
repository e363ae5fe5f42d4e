package testutil

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// wrongError returns how err differs from an error of package pkg that wraps want and contains
// names, or "".
func wrongError(pkg string, err, want error, names ...string) string {
	if !errors.Is(err, want) {
		return fmt.Sprintf("error %v, want one that wraps %q", err, want)
	}
	if !strings.HasPrefix(err.Error(), pkg+": ") {
		return fmt.Sprintf("error %q does not begin with %q", err, pkg+": ")
	}
	for _, s := range names {
		if !strings.Contains(err.Error(), s) {
			return fmt.Sprintf("error %q does not name %q", err, s)
		}
	}
	return ""
}

func expectError(t testing.TB, pkg string, err, want error, names ...string) {
	t.Helper()
	s := wrongError(pkg, err, want, names...)
	expect(t, s == "", "%s", s)
}

// badInput is invalid input, the error that it must give, and words that the error must contain.
type badInput struct {
	name  string
	x, y  mat.Matrix
	err   error
	names []string
}

// check reports an error of a method that is not the error for this input.
func (b badInput) check(t testing.TB, pkg, method string, err error) {
	t.Helper()
	s := wrongError(pkg, err, b.err, b.names...)
	expect(t, s == "", "%s, %s: %s", b.name, method, s)
}

// rejects checks the error of Fit, and that there is no model.
func (l Learner[O, M]) rejects(t testing.TB, list []badInput) {
	for _, b := range list {
		m, err := l.Fit(context.Background(), b.x, b.y, l.options())
		b.check(t, l.Package, "Fit", err)
		expect(t, reflect.ValueOf(m).IsNil(), "%s: Fit returns a model with the error %v", b.name, err)
	}
}

// with returns a copy of m with one element replaced.
func with(m *mat.Dense, i, j int, v float64) *mat.Dense {
	c := mat.DenseCopyOf(m)
	c.Set(i, j, v)
	return c
}

var notFinite = []float64{math.NaN(), math.Inf(1), math.Inf(-1)}

// empties are matrices without elements.
var empties = []mat.Matrix{
	nil, (*mat.Dense)(nil), (*mat.VecDense)(nil), &mat.Dense{}, &mat.VecDense{}, opaque{&mat.Dense{}}, mat.Transpose{},
}

// badMatrices returns empty matrices in place of m, and matrices of all types with a number that is
// not finite in one element. The matrix is in x.
func badMatrices(name string, m *mat.Dense, i, j int) (list []badInput) {
	for _, v := range notFinite {
		names := []string{fmt.Sprint("row ", i), fmt.Sprint("column ", j), fmt.Sprint(v)}
		for _, typ := range matrixTypes {
			name := fmt.Sprintf("%v in %s, %s", v, name, typ.name)
			list = append(list, badInput{name: name, x: typ.of(with(m, i, j, v)), err: rkhs.ErrNotFinite, names: names})
		}
	}
	for _, e := range empties {
		list = append(list, badInput{name: fmt.Sprintf("%T for %s", e, name), x: e, err: rkhs.ErrEmpty})
	}
	return list
}

// badX returns invalid rows.
func (k task) badX() []badInput { return badMatrices("x", k.x, 57, 1) }

// badPairs returns invalid rows, sparse rows, targets and labels.
func (k task) badPairs() (list []badInput) {
	_, q := k.y.Dims()
	for _, b := range k.badX() {
		b.y = k.y
		list = append(list, b)
	}
	for _, b := range badMatrices("y", k.y, 58, q-1) {
		b.x, b.y = k.x, b.x
		list = append(list, b)
	}
	for _, m := range empties {
		list = append(list, badInput{fmt.Sprintf("%T for both", m), m, m, rkhs.ErrEmpty, nil})
	}
	nan, outside, short := Sparse(k.x), Sparse(k.x), Sparse(k.x)
	nan.Values[7] = math.NaN()
	outside.Columns[0] = Inputs
	short.Offsets = short.Offsets[1:]
	list = append(list,
		badInput{"a sparse NaN", nan, k.y, rkhs.ErrNotFinite, nil},
		badInput{"a column out of range", outside, k.y, rkhs.ErrShape, nil},
		badInput{"too few offsets", short, k.y, rkhs.ErrShape, nil},
		badInput{"a target too few", k.x, between(k.y, 0, trainRows-1), rkhs.ErrShape, []string{"120", "119"}},
		badInput{"a single row", between(k.x, 0, 1), k.y, rkhs.ErrShape, []string{"120", "1 "}})
	if k.labels == nil {
		return list
	}
	first := float64(k.labels[0])
	fraction := with(k.y, 58, 0, first+0.5)
	return append(list,
		badInput{"a fraction for a label", k.x, fraction, rkhs.ErrLabels, []string{"row 58", fmt.Sprint(first + 0.5)}},
		badInput{"two columns of labels", k.x, constant(trainRows, 2, first), rkhs.ErrShape, []string{"2"}})
}

// wrongColumns returns rows with a number of columns that does not fit a model of Inputs columns.
func (k task) wrongColumns() []badInput {
	return []badInput{
		{"a column too many", constant(trainRows, Inputs+1, 1), k.y, rkhs.ErrShape, []string{"3", "4"}},
		{"a column too few", constant(trainRows, Inputs-1, 1), k.y, rkhs.ErrShape, []string{"3", "2"}},
	}
}

func (l Learner[O, M]) badInput(t testing.TB) {
	k := l.task()
	list := k.badPairs()
	for _, v := range l.Labels {
		y := constant(trainRows, 1, float64(v))
		list = append(list, badInput{"a single label", k.x, y, rkhs.ErrLabels, []string{fmt.Sprint(v)}})
	}
	l.rejects(t, list)
}

func (l Learner[O, M]) badPredict(t testing.TB) {
	k, m := l.fitted(t)
	want := predict(t, m, k.testX)
	_, q := k.y.Dims()
	for _, b := range append(k.badX(), k.wrongColumns()...) {
		p, err := m.Predict(b.x)
		b.check(t, l.Package, "Predict", err)
		expect(t, p == nil, "%s: Predict returns the prediction %v with the error %v", b.name, p, err)
		dst, sized := constant(trainRows, q, 7), new(mat.Dense)
		b.check(t, l.Package, "PredictTo", m.PredictTo(dst, b.x))
		m.PredictTo(sized, b.x)
		unchanged := sized.IsEmpty() && identical(dst, constant(trainRows, q, 7))
		expect(t, unchanged, "%s: PredictTo changes its destination", b.name)
	}
	expect(t, identical(predict(t, m, k.testX), want), "a failed prediction changed the model")
}
