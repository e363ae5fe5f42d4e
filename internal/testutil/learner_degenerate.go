package testutil

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// sentinels are the errors with which a learner may turn down data.
var sentinels = []error{rkhs.ErrShape, rkhs.ErrEmpty, rkhs.ErrNotFinite, rkhs.ErrDomain, rkhs.ErrOption, rkhs.ErrLabels, rkhs.ErrDiverged}

func isSentinel(err error) bool {
	for _, s := range sentinels {
		if errors.Is(err, s) {
			return true
		}
	}
	return false
}

// bears asks for a model with finite predictions on the rows it has seen and on
// others.
func (l Learner[O, M]) bears(t testing.TB, x, y mat.Matrix, others ...mat.Matrix) M {
	t.Helper()
	m := l.fit(t, x, y)
	for _, z := range append(others, x) {
		predict(t, m, z)
	}
	return m
}

// oneRow may be refused, by an error of package rkhs: of one class, it must.
func (l Learner[O, M]) oneRow(t testing.TB) {
	k := l.task()
	m, err := l.Fit(context.Background(), rowsFrom(k.x, 0, 1), rowsFrom(k.y, 0, 1), l.options())
	if err != nil {
		if !isSentinel(err) {
			t.Errorf("error %v is none of package rkhs", err)
		}
		return
	}
	if l.Labels != nil {
		t.Error("a classifier of a single label")
	}
	predict(t, m, k.testX)
	predict(t, m, rowsFrom(k.x, 0, 1))
}

func (l Learner[O, M]) oneColumn(t testing.TB) {
	k := taskOf(1, l.Outputs, l.Labels)
	l.beatsConstant(t, l.bears(t, k.x, k.y), k)
}

// constantColumn replaces the column that the task does not need.
func (l Learner[O, M]) constantColumn(t testing.TB) {
	for _, v := range []float64{0, 0.1, -1e3} {
		k := l.task()
		for _, x := range []*mat.Dense{k.x, k.testX} {
			n, _ := x.Dims()
			x.SetCol(1, mat.Col(nil, 0, constant(n, 1, v)))
		}
		l.beatsConstant(t, l.bears(t, k.x, k.y), k)
	}
}

// duplicates gives every row twice, with the same target and then with others.
func (l Learner[O, M]) duplicates(t testing.TB) {
	k := l.task()
	var x, y, reversed, mixed mat.Dense
	x.Stack(k.x, k.x)
	y.Stack(k.y, k.y)
	l.beatsConstant(t, l.bears(t, &x, &y), k)
	reversed.CloneFrom(k.y)
	for i := range trainRows {
		reversed.SetRow(i, k.y.RawRowView(trainRows-1-i))
	}
	mixed.Stack(k.y, &reversed)
	l.bears(t, &x, &mixed, k.testX)
}

// equalRows has nothing to learn from but the targets.
func (l Learner[O, M]) equalRows(t testing.TB) {
	k := l.task()
	for _, v := range []float64{0, 0.1, 1e3} {
		l.bears(t, constant(trainRows, Inputs, v), k.y, k.testX)
		l.bears(t, constant(7, Inputs, v), rowsFrom(k.y, 0, 7), k.testX)
	}
}

func (l Learner[O, M]) constantTarget(t testing.TB) {
	if l.Labels != nil {
		return // a single class, which is refused
	}
	k := l.task()
	_, q := k.y.Dims()
	for _, v := range []float64{0, 0.1, -1e6} {
		l.bears(t, k.x, constant(trainRows, q, v), k.testX)
	}
}

func (l Learner[O, M]) wide(t testing.TB) {
	k := taskOf(40, l.Outputs, l.Labels)
	l.bears(t, rowsFrom(k.x, 0, 12), rowsFrom(k.y, 0, 12), k.testX)
}

// featureScale multiplies the features by a million and a millionth.
func (l Learner[O, M]) featureScale(t testing.TB) {
	k := l.task()
	for _, s := range []float64{1e6, 1e-6} {
		l.scale(t, fmt.Sprintf("features × %g", s), scaled(s, k.x), k.y, scaled(s, k.testX))
	}
}

// scale fits data that options made for other data may not fit. Such a fit may
// diverge if it says so, and one that does not converge must still predict.
func (l Learner[O, M]) scale(t testing.TB, name string, x, y, test mat.Matrix) *mat.Dense {
	t.Helper()
	m, err := l.Fit(context.Background(), x, y, l.options())
	switch {
	case errors.Is(err, rkhs.ErrDiverged):
		return nil
	case l.fails(err):
		t.Fatalf("%s: %v", name, err)
	}
	return predict(t, m, test)
}

// targetScale multiplies the targets by powers of two near a million and a
// millionth, which in itself rounds nothing.
func (l Learner[O, M]) targetScale(t testing.TB) {
	if l.Labels != nil {
		return
	}
	k := l.task()
	want := predict(t, l.fit(t, k.x, k.y), k.testX)
	for _, s := range []float64{0x1p20, 0x1p-20} {
		p := l.scale(t, fmt.Sprintf("targets × %g", s), k.x, scaled(s, k.y), k.testX)
		if l.Equivariance == 0 {
			continue
		}
		if p == nil {
			t.Fatalf("targets × %g: the fit diverged", s)
		}
		var diff mat.Dense
		diff.Sub(scaled(1/s, p), want)
		if e := mat.Norm(&diff, 2) / mat.Norm(want, 2); !(e <= l.Equivariance) {
			t.Errorf("targets × %g: relative error %.2g, want at most %.2g", s, e, l.Equivariance)
		}
	}
}
