package testutil

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// refusal is input that is at fault in some way, the error that it must give,
// and what the message must name.
type refusal struct {
	what  string
	x, y  mat.Matrix
	err   error
	names []string
}

// wrong returns what is wrong with an error, or "".
func (r refusal) wrong(pkg string, err error) string {
	if !errors.Is(err, r.err) {
		return fmt.Sprintf("error %v, want one that wraps %q", err, r.err)
	}
	if !strings.HasPrefix(err.Error(), pkg+": ") {
		return fmt.Sprintf("error %q does not begin with %q", err, pkg+": ")
	}
	for _, s := range r.names {
		if !strings.Contains(err.Error(), s) {
			return fmt.Sprintf("error %q does not name %q", err, s)
		}
	}
	return ""
}

func (l Learner[O, M]) refuses(t testing.TB, list []refusal) {
	t.Helper()
	for _, r := range list {
		m, err := l.Fit(context.Background(), r.x, r.y, l.options())
		if s := r.wrong(l.Package, err); s != "" {
			t.Errorf("%s, Fit: %s", r.what, s)
		}
		if !reflect.ValueOf(m).IsNil() {
			t.Errorf("%s: Fit returns a model with the error %v", r.what, err)
		}
	}
}

// with returns a copy of m with one element replaced.
func with(m *mat.Dense, i, j int, v float64) *mat.Dense {
	c := mat.DenseCopyOf(m)
	c.Set(i, j, v)
	return c
}

var notNumbers = []float64{math.NaN(), math.Inf(1), math.Inf(-1)}

// empties are the ways to pass no data.
var empties = []mat.Matrix{nil, (*mat.Dense)(nil), (*mat.VecDense)(nil), &mat.Dense{}, &mat.VecDense{}, opaque{&mat.Dense{}}, mat.Transpose{}}

// numbersX puts a number that is not finite into the middle of x.
func (k task) numbersX() (list []refusal) {
	for _, v := range notNumbers {
		for _, kind := range kinds {
			list = append(list, refusal{fmt.Sprintf("%v in x, %s", v, kind.name), kind.of(with(k.x, 57, 1, v)), k.y, rkhs.ErrNotFinite, []string{"row 57", "column 1", fmt.Sprint(v)}})
		}
	}
	return list
}

// numbersY puts a number that is not finite into the middle of y.
func (k task) numbersY() (list []refusal) {
	_, q := k.y.Dims()
	for _, v := range notNumbers {
		for _, kind := range kinds {
			list = append(list, refusal{fmt.Sprintf("%v in y, %s", v, kind.name), k.x, kind.of(with(k.y, 58, q-1, v)), rkhs.ErrNotFinite, []string{"row 58", fmt.Sprintf("column %d", q-1), fmt.Sprint(v)}})
		}
	}
	return list
}

func (k task) emptyX() (list []refusal) {
	for _, m := range empties {
		list = append(list, refusal{fmt.Sprintf("%T for x", m), m, k.y, rkhs.ErrEmpty, nil})
	}
	return list
}

func (k task) emptyY() (list []refusal) {
	for _, m := range empties {
		list = append(list,
			refusal{fmt.Sprintf("%T for y", m), k.x, m, rkhs.ErrEmpty, nil},
			refusal{fmt.Sprintf("%T for both", m), m, m, rkhs.ErrEmpty, nil})
	}
	return list
}

// rowsDiffer gives x and y different numbers of rows.
func (k task) rowsDiffer() []refusal {
	return []refusal{
		{"a target too few", k.x, rowsFrom(k.y, 0, trainRows-1), rkhs.ErrShape, []string{"120", "119"}},
		{"a single row", rowsFrom(k.x, 0, 1), k.y, rkhs.ErrShape, []string{"120", "1 "}},
	}
}

// columnsDiffer gives x a number of columns that does not fit a model of Inputs.
func (k task) columnsDiffer() []refusal {
	return []refusal{
		{"a column too many", constant(trainRows, Inputs+1, 1), k.y, rkhs.ErrShape, []string{"3", "4"}},
		{"a column too few", constant(trainRows, Inputs-1, 1), k.y, rkhs.ErrShape, []string{"3", "2"}},
	}
}

func (k task) badLabels(labels []int) []refusal {
	if labels == nil {
		return nil
	}
	first := float64(labels[0])
	return []refusal{
		{"a fraction for a label", k.x, with(k.y, 58, 0, first+0.5), rkhs.ErrLabels, []string{"row 58", fmt.Sprint(first + 0.5)}},
		{"two columns of labels", k.x, constant(trainRows, 2, first), rkhs.ErrShape, []string{"2"}},
	}
}

func (l Learner[O, M]) notFinite(t testing.TB) {
	k := l.task()
	l.refuses(t, slices.Concat(k.numbersX(), k.numbersY()))
}

func (l Learner[O, M]) shape(t testing.TB) {
	l.refuses(t, l.task().rowsDiffer())
}

func (l Learner[O, M]) empty(t testing.TB) {
	k := l.task()
	l.refuses(t, slices.Concat(k.emptyX(), k.emptyY()))
}

func (l Learner[O, M]) badLabels(t testing.TB) {
	k := l.task()
	l.refuses(t, k.badLabels(l.Labels))
	for _, v := range l.Labels {
		l.refuses(t, []refusal{{"a single label", k.x, constant(trainRows, 1, float64(v)), rkhs.ErrLabels, []string{fmt.Sprint(v)}}})
	}
}

func (l Learner[O, M]) predictRefuses(t testing.TB) {
	k, m := l.fitted(t)
	want := predict(t, m, k.testX)
	_, q := k.y.Dims()
	for _, r := range slices.Concat(k.numbersX(), k.emptyX(), k.columnsDiffer()) {
		p, err := m.Predict(r.x)
		if s := r.wrong(l.Package, err); s != "" || p != nil {
			t.Errorf("%s, Predict: %s, prediction %v", r.what, s, p)
		}
		dst, sized := constant(trainRows, q, 7), new(mat.Dense)
		if s := r.wrong(l.Package, m.PredictTo(dst, r.x)); s != "" {
			t.Errorf("%s, PredictTo: %s", r.what, s)
		}
		if m.PredictTo(sized, r.x); !sized.IsEmpty() || !identical(dst, constant(trainRows, q, 7)) {
			t.Errorf("%s: PredictTo touches its destination", r.what)
		}
	}
	if !identical(predict(t, m, k.testX), want) {
		t.Error("a refused prediction changed the model")
	}
}
