package testutil

import (
	"errors"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// batches predicts the same rows alone, in parts, backwards and among others.
func (l Learner[O, M]) batches(t testing.TB) {
	k, m := l.fitted(t)
	want := predict(t, m, k.testX)
	for _, size := range []int{1, 7, testRows} {
		for from := 0; from < testRows; from += size {
			to := min(from+size, testRows)
			if !identical(predict(t, m, rowsFrom(k.testX, from, to)), rowsFrom(want, from, to)) {
				t.Fatalf("rows [%d, %d) alone are predicted otherwise than among all", from, to)
			}
		}
	}
	if !identical(backwards(predict(t, m, backwards(k.testX))), want) {
		t.Error("rows are predicted otherwise in another order")
	}
	var many mat.Dense
	many.Stack(scaled(50, k.x), k.testX)
	if !identical(rowsFrom(predict(t, m, &many), trainRows, trainRows+testRows), want) {
		t.Error("rows are predicted otherwise behind others")
	}
}

func backwards(m *mat.Dense) *mat.Dense {
	b := mat.DenseCopyOf(m)
	n, _ := m.Dims()
	for i := range n {
		b.SetRow(i, m.RawRowView(n-1-i))
	}
	return b
}

func (l Learner[O, M]) concurrent(t testing.TB) {
	k, m := l.fitted(t)
	want := predict(t, m, k.testX)
	const users, each = 8, 10
	wrong := make([]bool, users)
	var wg sync.WaitGroup
	for u := range users {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range each {
				from := (u*each + i) % (testRows - 20)
				p, err := m.Predict(rowsFrom(k.testX, from, from+20))
				wrong[u] = wrong[u] || err != nil || !identical(p, rowsFrom(want, from, from+20))
			}
		}()
	}
	wg.Wait()
	for _, w := range wrong {
		if w {
			t.Fatal("concurrent predictions differ from serial ones")
		}
	}
}

// predictTo writes over numbers, into a slice, over its own argument, and only
// where it fits.
func (l Learner[O, M]) predictTo(t testing.TB) {
	k, m := l.fitted(t)
	want := predict(t, m, k.testX)
	_, q := want.Dims()
	slice := strided(constant(testRows, q, 7)).(*mat.Dense)
	for _, dst := range []*mat.Dense{{}, constant(testRows, q, 7), slice} {
		if err := m.PredictTo(dst, k.testX); err != nil || !identical(dst, want) {
			t.Errorf("PredictTo differs from Predict (error %v)", err)
		}
	}
	for _, dst := range []*mat.Dense{constant(testRows-1, q, 7), constant(testRows, q+1, 7)} {
		before := mat.DenseCopyOf(dst)
		if err := m.PredictTo(dst, k.testX); !errors.Is(err, rkhs.ErrShape) || !identical(dst, before) {
			t.Errorf("a destination that does not fit: error %v, want one that wraps %v, and nothing written", err, rkhs.ErrShape)
		}
	}
	if err := m.PredictTo(nil, k.testX); !errors.Is(err, rkhs.ErrShape) {
		t.Errorf("a destination that is nil: error %v, want one that wraps %v", err, rkhs.ErrShape)
	}
	l.predictOver(t)
}

// predictOver predicts into the matrix that holds the inputs.
func (l Learner[O, M]) predictOver(t testing.TB) {
	k := taskOf(max(l.Outputs, 1), l.Outputs, l.Labels)
	m := l.fit(t, k.x, k.y)
	want, both := predict(t, m, k.testX), mat.DenseCopyOf(k.testX)
	if err := m.PredictTo(both, both); err != nil || !identical(both, want) {
		t.Errorf("PredictTo over its own argument differs from Predict (error %v)", err)
	}
}
