package testutil

import (
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// mostProbable checks that the label is the most probable one, on few rows, on more, and with a class of one and of
// two rows, of the fitted model and of the one from its file.
func (l Learner[O, M]) mostProbable(t testing.TB) {
	if l.Labels == nil {
		return
	}
	for _, c := range []struct{ rows, rare int }{{30, 0}, {120, 0}, {60, 1}, {60, 2}} {
		x, y := overlapping(c.rows, c.rare, l.Labels)
		m, err := l.Fit(context.Background(), x, y, l.options())
		if l.fails(err) {
			t.Fatalf("%+v: %v", c, err)
		}
		loaded := l.Empty()
		if err := loaded.UnmarshalBinary(marshal(t, m)); err != nil {
			t.Fatal(err)
		}
		test, _ := overlapping(200, 0, l.Labels)
		for _, m := range []Model{m, loaded} {
			of, ok := m.(probabilities)
			if !ok {
				return
			}
			p, err := of.Proba(test)
			if errors.Is(err, rkhs.ErrUncalibrated) {
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			labels, predicted := of.Labels(), predict(t, m, test)
			for i := range 200 {
				if row := p.RawRowView(i); float64(labels[floats.MaxIdx(row)]) != predicted.At(i, 0) {
					t.Errorf("%+v: row %d has the label %v and the probabilities %v of %v", c, i, predicted.At(i, 0), row, labels)
				}
				if floats.Min(p.RawRowView(i)) <= 0 {
					t.Errorf("%+v: row %d has the probabilities %v", c, i, p.RawRowView(i))
				}
			}
		}
	}
}

// overlapping draws rows of classes that overlap, of which the last has so many rows if rare is positive.
func overlapping(n, rare int, labels []int) (x, y *mat.Dense) {
	r := rng.New(uint64(n+rare), "rows of overlapping classes", 0)
	x, y = mat.NewDense(n, Inputs, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		k := i % len(labels)
		if last := len(labels) - 1; rare > 0 && (k == last || i < rare) {
			k = i % last
			if i < rare {
				k = last
			}
		}
		for j := range Inputs {
			x.Set(i, j, r.NormFloat64())
		}
		x.Set(i, k%Inputs, x.At(i, k%Inputs)+1.5)
		y.Set(i, 0, float64(labels[k]))
	}
	return x, y
}
