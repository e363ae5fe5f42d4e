package testutil

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// copies checks that a fit to every row twice predicts unseen rows about as well as one to the rows: rows that are held
// out, or left out one by one, must not be told by their copies. Intervals must cover as many of them.
func (l Learner[O, M]) copies(t testing.TB) {
	if l.Labels != nil || l.Options != nil {
		return
	}
	x, y := wiggle(100, 1, 3)
	test, want := wiggle(500, 2, 3)
	var twiceX, twiceY mat.Dense
	twiceX.Stack(x, x)
	twiceY.Stack(y, y)
	of := func(x, y *mat.Dense) (e, covered float64) {
		m, err := l.Fit(context.Background(), x, y, l.options())
		if err != nil && !errors.Is(err, rkhs.ErrNotConverged) {
			t.Fatal(err)
		}
		p, sum := predict(t, m, test), 0.0
		for i := range 500 {
			sum += math.Pow(p.At(i, 0)-want.At(i, 0), 2) / 500
		}
		if v, ok := any(m).(intervals); ok {
			lower, upper, err := v.Interval(test, 0.9)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 500 {
				if lower.At(i, 0) <= want.At(i, 0) && want.At(i, 0) <= upper.At(i, 0) {
					covered += 1. / 500
				}
			}
		}
		return math.Sqrt(sum), covered
	}
	once, covered := of(x, y)
	if twice, still := of(&twiceX, &twiceY); twice > 1.15*once || still < covered-0.08 {
		t.Errorf("of every row twice the error is %.4g and intervals cover %.3f, of the rows %.4g and %.3f", twice, still, once, covered)
	}
}
