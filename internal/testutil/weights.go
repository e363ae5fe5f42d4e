package testutil

import (
	"bytes"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// repeats returns how often each of n rows counts: once to three times, and some not at
// all.
func repeats(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = float64((i*i + i/7) % 4)
	}
	return w
}

// repeated returns the rows of m as often as the weights say, one behind the other.
func repeated(m *mat.Dense, w []float64) *mat.Dense {
	_, c := m.Dims()
	var data []float64
	for i, v := range w {
		for range int(v) {
			data = append(data, m.RawRowView(i)...)
		}
	}
	if len(data) == 0 {
		return new(mat.Dense)
	}
	return mat.NewDense(len(data)/c, c, data)
}

// apart returns the root mean square of a − b, relative to the deviation of b.
func apart(a, b *mat.Dense) float64 {
	var difference, spread, mean float64
	to := b.RawMatrix().Data
	for _, v := range to {
		mean += v / float64(len(to))
	}
	for i, v := range a.RawMatrix().Data {
		difference += (v - to[i]) * (v - to[i])
		spread += (to[i] - mean) * (to[i] - mean)
	}
	if spread == 0 {
		return math.Sqrt(difference)
	}
	return math.Sqrt(difference / spread)
}

// scores returns what a classifier decides by, and the prediction of other models.
func scores(t testing.TB, m Model, x mat.Matrix) *mat.Dense {
	t.Helper()
	c, ok := m.(interface {
		Scores(x mat.Matrix) (*mat.Dense, error)
	})
	if !ok {
		return predict(t, m, x)
	}
	s, err := c.Scores(x)
	if err != nil {
		t.Fatalf("Scores: %v", err)
	}
	return s
}

// weights holds a learner to what rkhs.Weighted says: only ratios count, a row of weight
// zero is none, and rows of whole weights are rows repeated.
func (l Learner[O, M]) weights(t testing.TB) {
	if l.Repeats == 0 {
		return
	}
	k := l.task()
	n, _ := k.x.Dims()
	plain := marshal(t, l.fit(t, k.x, k.y))
	if !bytes.Equal(marshal(t, l.fit(t, rkhs.Weighted{Matrix: k.x, Weights: mat.Col(nil, 0, constant(n, 1, 2.5))}, k.y)), plain) {
		t.Error("equal weights give other bits than none")
	}
	w := repeats(n)
	weighted := l.fit(t, rkhs.Weighted{Matrix: k.x, Weights: w}, k.y)
	if !bytes.Equal(marshal(t, l.fit(t, &rkhs.Weighted{Matrix: k.x, Weights: w}, k.y)), marshal(t, weighted)) {
		t.Error("a pointer gives other bits than a value")
	}
	got, more := scores(t, weighted, k.testX), mat.Col(nil, 0, scaled(1000, mat.NewVecDense(n, w)))
	if d := apart(scores(t, l.fit(t, rkhs.Weighted{Matrix: k.x, Weights: more}, k.y), k.testX), got); !(d <= l.Repeats) {
		t.Errorf("weights times 1000 move the model by %.3g, want %.3g at most", d, l.Repeats)
	}
	if d := apart(scores(t, l.fit(t, repeated(k.x, w), repeated(k.y, w)), k.testX), got); !(d <= l.Repeats) {
		t.Errorf("rows of whole weights differ by %.3g from rows repeated, want %.3g at most", d, l.Repeats)
	}
	l.zeroWeights(t, k)
	if !identical(predict(t, weighted, rkhs.Weighted{Matrix: k.testX}), predict(t, weighted, k.testX)) {
		t.Error("weights change a prediction")
	}
}

// zeroWeights leaves out rows whose targets would be ruinous.
func (l Learner[O, M]) zeroWeights(t testing.TB, k task) {
	n, _ := k.x.Dims()
	only, y := make([]float64, n), mat.DenseCopyOf(k.y)
	for i := range only {
		if only[i] = float64(min(1, i%5)); i%5 == 0 && l.Labels == nil {
			y.Set(i, 0, 1e6)
		}
	}
	without := l.fit(t, repeated(k.x, only), repeated(k.y, only))
	if !bytes.Equal(marshal(t, l.fit(t, rkhs.Weighted{Matrix: k.x, Weights: only}, y)), marshal(t, without)) {
		t.Error("rows of weight zero are not as rows that are not there")
	}
}

// badWeights are weights at fault.
func (l Learner[O, M]) badWeights(t testing.TB) {
	if l.Repeats == 0 {
		return
	}
	k := l.task()
	var list []refusal
	for _, r := range weightRefusals(k.x) {
		r.y = k.y
		list = append(list, r)
	}
	l.refuses(t, list)
}

func weightRefusals(x *mat.Dense) (list []refusal) {
	n, _ := x.Dims()
	refused := func(what string, w []float64, err error, names ...string) {
		list = append(list, refusal{what: what, x: rkhs.Weighted{Matrix: x, Weights: w}, err: err, names: names})
	}
	at := func(row int, v float64) []float64 {
		w := repeats(n)
		w[row] = v
		return w
	}
	refused("a negative weight", at(min(7, n-1), -1), rkhs.ErrDomain, "row", "-1")
	for _, v := range notNumbers {
		refused("a weight that is no number", at(n-1, v), rkhs.ErrNotFinite, "row")
	}
	refused("all weights zero", make([]float64, n), rkhs.ErrEmpty, "weights")
	refused("a weight too few", repeats(n-1), rkhs.ErrShape, "weights")
	refused("no weights", nil, rkhs.ErrShape, "weights")
	list = append(list, refusal{what: "weights of nothing", x: rkhs.Weighted{Weights: repeats(n)}, err: rkhs.ErrEmpty})
	return list
}
