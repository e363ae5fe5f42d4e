package testutil

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// powersOfTwo is the check of Learner of the same name, for batches.
func (l Stream[S, M]) powersOfTwo(t testing.TB) {
	if !l.Exact {
		return
	}
	k := l.task()
	fit := func(x, y *mat.Dense) (m M, err error) {
		s := l.start(t, 0)
		for _, b := range (task{x: x, y: y}).batches() {
			if err := l.Update(s, b.x, b.y); err != nil {
				return m, err
			}
		}
		return l.Model(s)
	}
	want := predict(t, must(fit(k.x, k.y))(t), k.testX)
	checkPowersOfTwo(t, fit, k, want, l.Labels != nil)
}

// fewRows checks that the probabilities after few rows are no worse at unseen rows than equal
// probabilities, up to chance, if the classes overlap and if the labels are noise. A dozen seeds draw
// the rows, because by chance some rows are separable. For n rows of noise, 2n times the excess is
// about chi-squared with a few degrees of freedom, so up to 20 is chance.
func (l Stream[S, M]) fewRows(t testing.TB) {
	if l.Labels == nil {
		return
	}
	uniform := math.Log(float64(len(l.Labels)))
	for _, distance := range []float64{1.5, 0} {
		test, want := overlappingBy(distance, 500, 0, l.Labels, 0)
		for seed, n := range []int{25, 40, 25, 40, 25, 40, 25, 40, 20, 30, 60, 110} {
			x, y := overlappingBy(distance, n, 0, l.Labels, uint64(1+seed))
			s := l.start(t, 0)
			for from := 0; from < n; from += 50 {
				to := min(from+50, n)
				l.update(t, s, between(x, from, to), between(y, from, to))
			}
			loss := logLoss(t, l.model(t, s), test, want)
			chance := 0.1
			if distance == 0 {
				chance = 10 / float64(n)
			}
			expect(t, loss <= uniform+chance, "distance %v, %d rows: log loss %.3g, of equal probabilities %.3g",
				distance, n, loss, uniform)
		}
	}
}

// logLoss returns the log loss of a model, or 0 if it has no probabilities.
func logLoss(t testing.TB, m Model, x, labels *mat.Dense) (loss float64) {
	t.Helper()
	of, ok := m.(probabilities)
	if !ok {
		return 0
	}
	p, err := of.Proba(x)
	if errors.Is(err, rkhs.ErrNoCalibration) {
		return 0
	}
	noError(t, err)
	n, _ := x.Dims()
	for i := range n {
		loss -= math.Log(p.At(i, slices.Index(of.Labels(), int(labels.At(i, 0))))) / float64(n)
	}
	return loss
}
