package testutil

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// probabilities and intervals are what models promise that have them.
type (
	probabilities interface {
		Proba(x mat.Matrix) (*mat.Dense, error)
		Labels() []int
	}
	intervals interface {
		Interval(x mat.Matrix, level float64) (lower, upper *mat.Dense, err error)
	}
)

// calibrated checks probabilities and intervals, and those of the model from its file.
func (l Learner[O, M]) calibrated(t testing.TB) {
	k, m := l.fitted(t)
	checkCalibrated(t, m, k)
	back := l.Empty()
	if err := back.UnmarshalBinary(marshal(t, m)); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(calibratedValues(t, back, k.testX), calibratedValues(t, m, k.testX)) {
		t.Error("the loaded model has other probabilities or intervals")
	}
}

func (l Stream[S, M]) calibrated(t testing.TB) {
	k := l.task()
	checkCalibrated(t, l.model(t, l.after(t, k, 0)), k)
}

func checkCalibrated(t testing.TB, m Model, k task) {
	t.Helper()
	if p, ok := m.(probabilities); ok {
		checkProbabilities(t, m, p, k)
	}
	if v, ok := m.(intervals); ok {
		checkIntervals(t, m, v, k)
	}
}

// checkProbabilities: rows sum to one, and the label is the most probable one, the first of these.
func checkProbabilities(t testing.TB, m Model, of probabilities, k task) {
	t.Helper()
	p, err := of.Proba(k.testX)
	if err != nil {
		t.Fatalf("Proba: %v", err)
	}
	labels := of.Labels()
	if rows, columns := p.Dims(); rows != testRows || columns != len(labels) {
		t.Fatalf("probabilities are %d×%d for %d rows and %d labels", rows, columns, testRows, len(labels))
	}
	predicted := predict(t, m, k.testX)
	for i := range testRows {
		row := p.RawRowView(i)
		if math.Abs(floats.Sum(row)-1) > 1e-9 || floats.Min(row) < 0 {
			t.Fatalf("probabilities %v of row %d", row, i)
		}
		if most := labels[floats.MaxIdx(row)]; float64(most) != predicted.At(i, 0) {
			t.Errorf("row %d has the label %v and the probabilities %v of %v", i, predicted.At(i, 0), row, labels)
		}
	}
	if _, err := of.Proba(mat.NewDense(2, Inputs+1, nil)); !errors.Is(err, rkhs.ErrShape) {
		t.Errorf("Proba of rows with a column more: error %v", err)
	}
}

// checkIntervals: predictions lie inside, and higher levels are wider.
func checkIntervals(t testing.TB, m Model, of intervals, k task) {
	t.Helper()
	f := predict(t, m, k.testX)
	width := 0.0
	for _, level := range []float64{0.2, 0.5, 0.9} {
		low, high, err := of.Interval(k.testX, level)
		if err != nil {
			t.Fatalf("Interval of level %v: %v", level, err)
		}
		sum := 0.0
		for i := range testRows {
			for o := range f.RawRowView(i) {
				a, b, v := low.At(i, o), high.At(i, o), f.At(i, o)
				if !(a <= v && v <= b) {
					t.Fatalf("level %v: %v is predicted, not inside of %v to %v", level, v, a, b)
				}
				sum += b - a
			}
		}
		if sum < width {
			t.Errorf("intervals of level %v are narrower than those of a lower one", level)
		}
		width = sum
	}
	for _, level := range []float64{0, 1, -1, 2, math.NaN()} {
		if _, _, err := of.Interval(k.testX, level); !errors.Is(err, rkhs.ErrOption) {
			t.Errorf("level %v: error %v", level, err)
		}
	}
	if _, _, err := of.Interval(mat.NewDense(2, Inputs+1, nil), 0.5); !errors.Is(err, rkhs.ErrShape) {
		t.Errorf("Interval of rows with a column more: error %v", err)
	}
}

// calibratedValues returns the probabilities and the ends of intervals of rows.
func calibratedValues(t testing.TB, m Model, x mat.Matrix) (v []float64) {
	t.Helper()
	if of, ok := m.(probabilities); ok {
		p, err := of.Proba(x)
		if err != nil {
			t.Fatal(err)
		}
		v = append(v, p.RawMatrix().Data...)
	}
	if of, ok := m.(intervals); ok {
		low, high, err := of.Interval(x, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		v = slices.Concat(v, low.RawMatrix().Data, high.RawMatrix().Data)
	}
	return v
}
