package testutil

import (
	"bytes"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs"
)

// wholeWeights returns weights of n rows from 0 to 3.
func wholeWeights(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = float64((i*i + i/7) % 4)
	}
	return w
}

// repeated returns each row of m as often as its weight.
func repeated(m *mat.Dense, w []float64) *mat.Dense {
	_, c := m.Dims()
	var data []float64
	for i, v := range w {
		data = append(data, slices.Repeat(m.RawRowView(i), int(v))...)
	}
	if len(data) == 0 {
		return new(mat.Dense)
	}
	return mat.NewDense(len(data)/c, c, data)
}

// difference returns the root mean square of a − b, relative to the standard deviation of b.
func difference(a, b *mat.Dense) float64 {
	v := mat.DenseCopyOf(b).RawMatrix().Data
	if deviation := stat.PopStdDev(v, nil); deviation > 0 {
		return rootMeanSquare(a, b) / deviation
	}
	return rootMeanSquare(a, b)
}

// scores returns the scores of a classifier, or the predictions of another model.
func scores(t testing.TB, m Model, x mat.Matrix) *mat.Dense {
	t.Helper()
	c, ok := m.(interface {
		Scores(x mat.Matrix) (*mat.Dense, error)
	})
	if !ok {
		return predict(t, m, x)
	}
	return must(c.Scores(x))(t)
}

// weights checks that only ratios of weights matter, that weight zero removes a row, that whole
// weights repeat rows, and that invalid weights give errors.
func (l Learner[O, M]) weights(t testing.TB) {
	if l.Repeats == 0 {
		return
	}
	k, unweighted := l.fitted(t)
	w := wholeWeights(trainRows)
	weighted := func(w []float64) M { return l.fit(t, rkhs.Weighted{Matrix: k.x, Weights: w}, k.y) }
	same := func(name string, a, b Model) {
		t.Helper()
		expect(t, bytes.Equal(marshal(t, a), marshal(t, b)), "%s: other bits", name)
	}
	m := weighted(w)
	want := scores(t, m, k.testX)
	near := func(name string, m Model) {
		t.Helper()
		d := difference(scores(t, m, k.testX), want)
		expect(t, d <= l.Repeats, "%s: the model differs by %.3g, want at most %.3g", name, d, l.Repeats)
	}
	same("equal weights", weighted(slices.Repeat([]float64{2.5}, trainRows)), unweighted)
	same("a pointer to weighted rows", l.fit(t, &rkhs.Weighted{Matrix: k.x, Weights: w}, k.y), m)
	near("weights times 1000", weighted(floats.ScaleTo(make([]float64, trainRows), 1000, w)))
	near("rows repeated", l.fit(t, repeated(k.x, w), repeated(k.y, w)))
	p := predict(t, m, rkhs.Weighted{Matrix: k.testX})
	expect(t, identical(p, predict(t, m, k.testX)), "weights change a prediction")

	some, y := make([]float64, trainRows), mat.DenseCopyOf(k.y)
	for i := range some {
		some[i] = float64(min(1, i%5))
		if some[i] == 0 && l.Labels == nil {
			y.Set(i, 0, 1e6)
		}
	}
	same("rows of weight zero, or removed", l.fit(t, rkhs.Weighted{Matrix: k.x, Weights: some}, y),
		l.fit(t, repeated(k.x, some), repeated(k.y, some)))
	l.rejects(t, k.badWeights())
}

func (k task) badWeights() (list []badInput) {
	bad := func(name string, w []float64, err error, names ...string) {
		list = append(list, badInput{name, rkhs.Weighted{Matrix: k.x, Weights: w}, k.y, err, names})
	}
	at := func(row int, v float64) []float64 {
		w := wholeWeights(trainRows)
		w[row] = v
		return w
	}
	bad("a negative weight", at(7, -1), rkhs.ErrDomain, "row", "-1")
	for _, v := range notFinite {
		bad("a weight that is not finite", at(trainRows-1, v), rkhs.ErrNotFinite, "row")
	}
	bad("all weights zero", make([]float64, trainRows), rkhs.ErrEmpty, "weights")
	bad("a weight too few", wholeWeights(trainRows-1), rkhs.ErrShape, "weights")
	bad("no weights", nil, rkhs.ErrShape, "weights")
	noRows := rkhs.Weighted{Weights: wholeWeights(trainRows)}
	return append(list, badInput{name: "weights without rows", x: noRows, y: k.y, err: rkhs.ErrEmpty})
}

// weights checks that whole weights repeat the rows of a batch, and that invalid weights do not
// change the learner.
func (l Stream[S, M]) weights(t testing.TB) {
	if l.Repeats == 0 {
		return
	}
	k := l.task()
	w := wholeWeights(trainRows)
	s, more := l.start(t, 0), l.start(t, 0)
	for _, b := range k.batches() {
		n, _ := b.x.Dims()
		part := w[:n]
		w = w[n:]
		if floats.Sum(part) > 0 {
			l.update(t, s, rkhs.Weighted{Matrix: b.x, Weights: part}, b.y)
			l.update(t, more, repeated(b.x, part), repeated(b.y, part))
		}
	}
	d := difference(scores(t, l.model(t, more), k.testX), scores(t, l.model(t, s), k.testX))
	expect(t, d <= l.Repeats, "rows repeated: the model differs by %.3g, want at most %.3g", d, l.Repeats)
	l.rejects(t, s, k.badWeights())
}
