package testutil

import (
	"bytes"
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Cut describes a learner of models M that learns from batches, and the rows of its task.
type Cut[S File, M Model] struct {
	Start  func(workers int) (S, error)
	Empty  func() S
	Update func(s S, x, y mat.Matrix) error
	Model  func(s S, ctx context.Context) (M, error)
	X, Y   *mat.Dense
	Test   *mat.Dense
}

// update passes copies of rows [from, to), converted by of, to the learner and overwrites them.
func (u Cut[S, M]) update(t *testing.T, s S, from, to int, of func(*mat.Dense) mat.Matrix) {
	t.Helper()
	to = min(to, u.X.RawMatrix().Rows)
	x, y := mat.DenseCopyOf(u.X.Slice(from, to, 0, u.X.RawMatrix().Cols)), mat.DenseCopyOf(u.Y.Slice(from, to, 0, u.Y.RawMatrix().Cols))
	if err := u.Update(s, of(x), of(y)); err != nil {
		t.Fatal(err)
	}
	for _, m := range []*mat.Dense{x, y} {
		m.Apply(func(int, int, float64) float64 { return math.NaN() }, m)
	}
}

// start returns a learner without rows.
func (u Cut[S, M]) start(t *testing.T, workers int) S {
	t.Helper()
	s, err := u.Start(workers)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func asIs(m *mat.Dense) mat.Matrix { return m }

// all is more rows than there are.
const all = 1 << 20

// after returns a learner of all rows in batches of the given size.
func (u Cut[S, M]) after(t *testing.T, batch, workers int, of func(*mat.Dense) mat.Matrix) S {
	t.Helper()
	s := u.start(t, workers)
	for from := 0; from < u.X.RawMatrix().Rows; from += batch {
		u.update(t, s, from, from+batch, of)
	}
	return s
}

// Bytes returns the file of f.
func Bytes(t testing.TB, f File) []byte {
	t.Helper()
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func (u Cut[S, M]) predict(t *testing.T, s S) (M, *mat.Dense) {
	t.Helper()
	m, err := u.Model(s, context.Background())
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(u.Test)
	if err != nil {
		t.Fatal(err)
	}
	return m, p
}

// Check requires the same bits for all batch sizes, matrix types and numbers of workers, from a file,
// and with models in between.
func (u Cut[S, M]) Check(t *testing.T) {
	whole := u.after(t, all, 1, asIs)
	want := Bytes(t, whole)
	_, predicted := u.predict(t, whole)
	columns := func(m *mat.Dense) mat.Matrix { return mat.DenseCopyOf(m.T()).T() }
	for _, c := range []struct {
		name           string
		batch, workers int
		of             func(*mat.Dense) mat.Matrix
	}{{"rows one by one", 1, 2, asIs}, {"batches of 37", 37, 8, asIs}, {"batches of 100 by columns", 100, 3, columns}} {
		s := u.after(t, c.batch, c.workers, c.of)
		if _, p := u.predict(t, s); !bytes.Equal(Bytes(t, s), want) || !mat.Equal(p, predicted) {
			t.Errorf("%s and %d workers give other bits than all rows at once", c.name, c.workers)
		}
	}
	if _, p := u.predict(t, u.resumed(t)); !mat.Equal(p, predicted) {
		t.Error("a model from files in between predicts other bits")
	}
}

// resumed returns a learner that was saved and loaded, and asked for a model, between any
// two batches.
func (u Cut[S, M]) resumed(t *testing.T) S {
	t.Helper()
	s, want := u.start(t, 2), Bytes(t, u.after(t, all, 2, asIs))
	var models []M
	var early []*mat.Dense
	for from := 0; from < u.X.RawMatrix().Rows; from += 131 {
		u.update(t, s, from, from+131, asIs)
		m, p := u.predict(t, s)
		models, early = append(models, m), append(early, p)
		loaded := u.Empty()
		if err := loaded.UnmarshalBinary(Bytes(t, s)); err != nil {
			t.Fatal(err)
		}
		s = loaded
	}
	if !bytes.Equal(Bytes(t, s), want) {
		t.Error("with files and models in between, the learner has other bits")
	}
	for i, m := range models {
		if p, err := m.Predict(u.Test); err != nil || !mat.Equal(p, early[i]) {
			t.Errorf("model %d changes with the batches after it, %v", i, err)
		}
	}
	return s
}
