package testutil

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// poweredScales checks that rows and targets multiplied by a power of two give the same predictions, to the bit, or an
// error that wraps rkhs.ErrDiverged where the range of numbers ends, which is farther than 2^±130 away. It never gives
// a model that has seen nothing.
func (l Learner[O, M]) poweredScales(t testing.TB) {
	if l.Options != nil {
		return
	}
	k := l.task()
	fit := func(x, y mat.Matrix) (M, error) { return l.Fit(context.Background(), x, y, l.options()) }
	m, err := fit(k.x, k.y)
	if err != nil {
		t.Fatal(err)
	}
	want := predict(t, m, k.testX)
	for _, e := range []int{-498, -400, -130, 130, 400, 498, 900} {
		var x, testX mat.Dense
		x.Scale(math.Ldexp(1, e), k.x)
		testX.Scale(math.Ldexp(1, e), k.testX)
		m, err := fit(&x, k.y)
		switch {
		case err != nil && !errors.Is(err, rkhs.ErrDiverged) || err != nil && max(e, -e) <= 130:
			t.Errorf("rows times 2^%d: %v", e, err)
		case err == nil && !identical(predict(t, m, &testX), want):
			t.Errorf("rows times 2^%d: other predictions", e)
		}
		if l.Labels != nil {
			continue
		}
		var y, scaled mat.Dense
		y.Scale(math.Ldexp(1, e), k.y)
		scaled.Scale(math.Ldexp(1, e), want)
		m, err = fit(k.x, &y)
		switch {
		case err != nil && !errors.Is(err, rkhs.ErrDiverged) || err != nil && max(e, -e) <= 130:
			t.Errorf("targets times 2^%d: %v", e, err)
		case err == nil && !identical(predict(t, m, k.testX), &scaled):
			t.Errorf("targets times 2^%d: other predictions", e)
		}
	}
}
