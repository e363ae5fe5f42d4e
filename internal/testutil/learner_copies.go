package testutil

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// copies checks that a fit to every row twice predicts unseen rows about as well as one to the rows, and knows as well how
// well: rows that are held out, or left out one by one, must not be told by their copies.
func (l Learner[O, M]) copies(t testing.TB) {
	if l.Options != nil {
		return
	}
	x, y := rough(150, 1, l.Labels)
	var twiceX, twiceY mat.Dense
	twiceX.Stack(x, x)
	twiceY.Stack(y, y)
	once, twice := l.scoreUnseen(t, x, y), l.scoreUnseen(t, &twiceX, &twiceY)
	if twice.loss > 1.15*once.loss+0.02 || twice.covered < once.covered-0.05 {
		t.Errorf("of every row twice the error is %.4g and intervals cover %.3f, of the rows %.4g and %.3f", twice.loss, twice.covered, once.loss, once.covered)
	}
}

// score is the log loss of probabilities, or the root mean square of errors and the part of targets inside of intervals.
type score struct{ loss, covered float64 }

// scoreUnseen fits to rows, and scores the model at others.
func (l Learner[O, M]) scoreUnseen(t testing.TB, x, y *mat.Dense) (s score) {
	const n = 1000
	test, want := rough(n, 2, l.Labels)
	m, err := l.Fit(context.Background(), x, y, l.options())
	if l.fails(err) {
		t.Fatal(err)
	}
	if of, ok := any(m).(probabilities); ok {
		p, err := of.Proba(test)
		if errors.Is(err, rkhs.ErrUncalibrated) {
			return score{}
		} else if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			s.loss -= math.Log(p.At(i, slices.Index(of.Labels(), int(want.At(i, 0))))) / n
		}
		return s
	}
	p := predict(t, m, test)
	for i := range n {
		s.loss += math.Pow(p.At(i, 0)-want.At(i, 0), 2) / n
	}
	s.loss = math.Sqrt(s.loss)
	if v, ok := any(m).(intervals); ok {
		lower, upper, err := v.Interval(test, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if lower.At(i, 0) <= want.At(i, 0) && want.At(i, 0) <= upper.At(i, 0) {
				s.covered += 1. / n
			}
		}
	}
	return s
}

// rough draws rows of a function of three columns with noise, or of labels with as much.
func rough(n int, seed uint64, labels []int) (x, y *mat.Dense) {
	r := rng.New(seed, "rows with noise", 0)
	x, y = mat.NewDense(n, Inputs, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = r.NormFloat64()
		}
		v := math.Sin(2*row[0]) + row[1]*row[2] + 0.3*r.NormFloat64()
		if count := len(labels); labels != nil {
			v = float64(labels[min(max(int(math.Floor(v+float64(count)/2)), 0), count-1)])
		}
		y.Set(i, 0, v)
	}
	return x, y
}
