package testutil

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// sentinels are the errors with which a learner may reject data.
var sentinels = []error{
	rkhs.ErrShape, rkhs.ErrEmpty, rkhs.ErrNotFinite, rkhs.ErrDomain, rkhs.ErrOption, rkhs.ErrLabels, rkhs.ErrDiverged,
}

func isSentinel(err error) bool {
	return slices.ContainsFunc(sentinels, func(s error) bool { return errors.Is(err, s) })
}

// degenerate returns checks of degenerate rows. The fit must succeed and predict finite numbers at the
// training and test rows. It must predict better than a constant if the rows allow it.
func (l Learner[O, M]) degenerate() (list []check) {
	add := func(name string, learns bool, change func(k *task)) {
		list = append(list, check{name, func(t testing.TB) {
			k := l.task()
			change(&k)
			m := l.fit(t, k.x, k.y)
			predict(t, m, k.x)
			predict(t, m, k.testX)
			if learns {
				k.beatsConstant(t, m)
			}
		}})
	}
	add("one column", true, func(k *task) { *k = newTask(trainRows, 1, l.Outputs, l.Labels) })
	add("more columns than rows", false, func(k *task) {
		*k = newTask(trainRows, 40, l.Outputs, l.Labels)
		k.x, k.y = between(k.x, 0, 12), between(k.y, 0, 12)
	})
	add("duplicates", true, func(k *task) { k.x, k.y = stacked(k.x, k.x), stacked(k.y, k.y) })
	add("contradictions", false, func(k *task) { k.x, k.y = stacked(k.x, k.x), stacked(k.y, reversed(k.y)) })
	for _, v := range []float64{0, 0.1, -1e3} {
		add(fmt.Sprint("constant column ", v), true, func(k *task) {
			for _, x := range []*mat.Dense{k.x, k.testX} {
				n, _ := x.Dims()
				x.SetCol(1, mat.Col(nil, 0, constant(n, 1, v)))
			}
		})
	}
	for _, v := range []float64{0, 0.1, 1e3} {
		add(fmt.Sprint("equal rows ", v), false, func(k *task) { k.x = constant(trainRows, Inputs, v) })
		add(fmt.Sprint("few equal rows ", v), false, func(k *task) {
			k.x, k.y = constant(7, Inputs, v), between(k.y, 0, 7)
		})
	}
	if l.Labels == nil {
		for _, v := range []float64{0, 0.1, -1e6} {
			add(fmt.Sprint("constant target ", v), false, func(k *task) { k.y = constant(trainRows, max(l.Outputs, 1), v) })
		}
	}
	return list
}

// oneRow checks that one row is fitted or rejected with an error of package rkhs. A classifier must
// reject it.
func (l Learner[O, M]) oneRow(t testing.TB) {
	k := l.task()
	m, err := l.Fit(context.Background(), between(k.x, 0, 1), between(k.y, 0, 1), l.options())
	if err != nil {
		expect(t, isSentinel(err), "error %v does not wrap an error of package rkhs", err)
		return
	}
	expect(t, l.Labels == nil, "a classifier of a single label")
	predict(t, m, k.testX)
	predict(t, m, between(k.x, 0, 1))
}

// noTolerance checks that nil options fit any rows without an error. The report describes the
// distance from the optimum.
func (l Learner[O, M]) noTolerance(t testing.TB) {
	if l.Options != nil {
		return
	}
	r := rng.New(3, "rows that are hard to converge on", 0)
	const n = 150
	x := mat.NewDense(n, Inputs, nil)
	for i := range n { // two nearly equal columns, and one with a large mean
		v := r.NormFloat64()
		x.SetRow(i, []float64{v, v + 1e-9*r.NormFloat64(), 1e6 + r.Float64()})
	}
	for name, f := range map[string]func(i int) float64{
		"a target without noise": func(i int) float64 { return math.Exp(2 * x.At(i, 0)) },
		"a target with jumps":    func(i int) float64 { return math.Round(0.5 + 0.4*math.Sin(40*x.At(i, 0))) },
		"a target of noise":      func(int) float64 { return r.NormFloat64() },
		"a target of huge range": func(int) float64 { return 1e9 + math.Exp(10*r.NormFloat64()) },
	} {
		y := mat.NewDense(n, 1, nil)
		for i := range n {
			v := f(i)
			if l.Labels != nil {
				v = float64(l.Labels[int(math.Abs(math.Floor(v)))%len(l.Labels)])
			}
			y.Set(i, 0, v)
		}
		m, err := l.Fit(context.Background(), x, y, nil)
		require(t, err == nil, "%s: %v", name, err)
		predict(t, m, x)
	}
}

// featureScale multiplies the features by a million and a millionth.
func (l Learner[O, M]) featureScale(t testing.TB) {
	k := l.task()
	for _, s := range []float64{1e6, 1e-6} {
		l.fitScaled(t, fmt.Sprintf("features × %g", s), scaled(s, k.x), k.y, scaled(s, k.testX))
	}
}

// fitScaled fits data of a scale that the options may not suit. The fit may end with
// rkhs.ErrDiverged, but a fit that has not converged must predict.
func (l Learner[O, M]) fitScaled(t testing.TB, name string, x, y, test mat.Matrix) *mat.Dense {
	t.Helper()
	m, err := l.Fit(context.Background(), x, y, l.options())
	if errors.Is(err, rkhs.ErrDiverged) {
		return nil
	}
	require(t, !l.fails(err), "%s: %v", name, err)
	return predict(t, m, test)
}

// targetScale multiplies the targets by powers of two near a million and a millionth, which is
// exact.
func (l Learner[O, M]) targetScale(t testing.TB) {
	if l.Labels != nil {
		return
	}
	k, m := l.fitted(t)
	want := predict(t, m, k.testX)
	for _, s := range []float64{0x1p20, 0x1p-20} {
		p := l.fitScaled(t, fmt.Sprintf("targets × %g", s), k.x, scaled(s, k.y), k.testX)
		if l.Equivariance == 0 {
			continue
		}
		require(t, p != nil, "targets × %g: the fit diverged", s)
		var diff mat.Dense
		diff.Sub(scaled(1/s, p), want)
		e := mat.Norm(&diff, 2) / mat.Norm(want, 2)
		expect(t, e <= l.Equivariance, "targets × %g: relative error %.2g, want at most %.2g", s, e, l.Equivariance)
	}
}

// powersOfTwo checks that zero options give the same bits after a scaling of the rows or the targets
// by a power of two.
func (l Learner[O, M]) powersOfTwo(t testing.TB) {
	if l.Options != nil {
		return
	}
	k, m := l.fitted(t)
	fit := func(x, y *mat.Dense) (M, error) { return l.Fit(context.Background(), x, y, l.options()) }
	checkPowersOfTwo(t, fit, k, predict(t, m, k.testX), l.Labels != nil)
}

// checkPowersOfTwo scales the rows and, unless they are labels, the targets of k. At the end of the range
// of float64, 2^±130 and more, the fit may end with rkhs.ErrDiverged instead.
func checkPowersOfTwo[M Model](t testing.TB, fit func(x, y *mat.Dense) (M, error), k task, want *mat.Dense, labels bool) {
	t.Helper()
	same := func(name string, e int, x, y, test, want *mat.Dense) {
		m, err := fit(x, y)
		if err != nil {
			expect(t, errors.Is(err, rkhs.ErrDiverged) && max(e, -e) > 130, "%s times 2^%d: %v", name, e, err)
			return
		}
		expect(t, identical(predict(t, m, test), want), "%s times 2^%d: other predictions", name, e)
	}
	for _, e := range []int{-900, -498, -400, -130, 130, 400, 498, 900} {
		s := math.Ldexp(1, e)
		same("rows", e, scaled(s, k.x), k.y, scaled(s, k.testX), want)
		if !labels {
			same("targets", e, k.x, scaled(s, k.y), k.testX, scaled(s, want))
		}
	}
}
