// Package learnertest has what the tests of the learners on streams, and of the models with
// files, have in common.
package learnertest

import (
	"bytes"
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/testutil"
)

// Cut describes a learner that takes in batches, of models M, and the rows of its task.
type Cut[S testutil.File, M testutil.Model] struct {
	Start func(workers int) (S, error)
	Empty func() S
	// Update hands rows [from, to) of the task over, held as of makes them.
	Update func(s S, from, to int, of func(*mat.Dense) mat.Matrix) error
	Model  func(s S, ctx context.Context) (M, error)
	Rows   int
	Test   *mat.Dense
}

func asIs(m *mat.Dense) mat.Matrix { return m }

// after returns a learner that has seen all rows in batches of so many.
func (u Cut[S, M]) after(t *testing.T, batch, workers int, of func(*mat.Dense) mat.Matrix) S {
	t.Helper()
	s, err := u.Start(workers)
	if err != nil {
		t.Fatal(err)
	}
	for from := 0; from < u.Rows; from += batch {
		if err := u.Update(s, from, min(from+batch, u.Rows), of); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// Bytes returns the file of f.
func Bytes(t testing.TB, f testutil.File) []byte {
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

// Check asks for the same bits however the rows are cut and held, for any number of
// workers, from a file and with models in between.
func (u Cut[S, M]) Check(t *testing.T) {
	whole := u.after(t, u.Rows, 1, asIs)
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
	s := u.after(t, u.Rows, 2, asIs)
	want := Bytes(t, s)
	s, err := u.Start(2)
	if err != nil {
		t.Fatal(err)
	}
	var models []M
	var early []*mat.Dense
	for from := 0; from < u.Rows; from += 131 {
		if err := u.Update(s, from, min(from+131, u.Rows), asIs); err != nil {
			t.Fatal(err)
		}
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

// Hand returns a copy of rows [from, to) that is overwritten after use.
func Hand(m *mat.Dense, from, to int, of func(*mat.Dense) mat.Matrix, use func(mat.Matrix) error) error {
	_, d := m.Dims()
	c := mat.DenseCopyOf(m.Slice(from, to, 0, d))
	defer c.Apply(func(int, int, float64) float64 { return math.NaN() }, c)
	return use(of(c))
}

// HandBoth is Hand of two matrices.
func HandBoth(x, y *mat.Dense, from, to int, of func(*mat.Dense) mat.Matrix, use func(x, y mat.Matrix) error) error {
	return Hand(x, from, to, of, func(x mat.Matrix) error {
		return Hand(y, from, to, of, func(y mat.Matrix) error { return use(x, y) })
	})
}
