package testutil

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// rowPredictor is what models promise that predict single rows.
type rowPredictor interface {
	PredictRow(dst, x []float64) error
}

// singleRows compares predictions of single rows with those of all, and counts what they allocate.
func (l Learner[O, M]) singleRows(t testing.TB) {
	k, m := l.fitted(t)
	checkRows(t, m, k)
}

func (l Stream[S, M]) singleRows(t testing.TB) {
	k := l.task()
	checkRows(t, l.model(t, l.after(t, k, 0)), k)
}

func checkRows(t testing.TB, m Model, k task) {
	t.Helper()
	of, ok := m.(rowPredictor)
	if !ok {
		return
	}
	want := predict(t, m, k.testX)
	_, q := want.Dims()
	dst, size := make([]float64, q), 0.0
	for _, v := range want.RawMatrix().Data {
		size = max(size, math.Abs(v))
	}
	x := mat.DenseCopyOf(k.testX)
	_, labels := m.(probabilities)
	others := 0
	for i := range testRows {
		if err := of.PredictRow(dst, x.RawRowView(i)); err != nil {
			t.Fatalf("PredictRow: %v", err)
		}
		for o, v := range dst {
			if d := math.Abs(v - want.At(i, o)); !(d <= 1e-6*size) && !labels {
				t.Fatalf("row %d: %v alone, %v among others", i, v, want.At(i, o))
			} else if labels && d > 0 {
				others++
			}
		}
	}
	if others > 1 { // of equal scores rounding decides
		t.Errorf("%d of %d rows have another label alone", others, testRows)
	}
	row := x.RawRowView(0)
	if n := testing.AllocsPerRun(20, func() { _ = of.PredictRow(dst, row) }); n > 0 && !raceDetector {
		t.Errorf("PredictRow allocates %v times", n)
	}
	for _, wrong := range []struct {
		dst, x []float64
		want   error
	}{
		{dst, row[:Inputs-1], rkhs.ErrShape},
		{dst, nil, rkhs.ErrShape},
		{make([]float64, q+1), row, rkhs.ErrShape},
		{nil, row, rkhs.ErrShape},
		{dst, append([]float64{math.NaN()}, row[1:]...), rkhs.ErrNotFinite},
		{dst, append([]float64{math.Inf(-1)}, row[1:]...), rkhs.ErrNotFinite},
	} {
		if err := of.PredictRow(wrong.dst, wrong.x); !errors.Is(err, wrong.want) {
			t.Errorf("%d numbers of x and %d of dst: error %v, want %v", len(wrong.x), len(wrong.dst), err, wrong.want)
		}
	}
}
