package dataset

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// numbered returns a set with the rows (i, 10·i) and the targets 100·i.
func numbered(n int) *Set {
	s := &Set{X: mat.NewDense(n, 2, nil)}
	for i := range n {
		s.X.SetRow(i, []float64{float64(i), float64(10 * i)})
		s.Y = append(s.Y, float64(100*i))
	}
	return s
}

func TestSelect(t *testing.T) {
	s := numbered(5)
	c := s.Select([]int{4, 0, 4})
	checkSet(t, c, [][]float64{{4, 40}, {0, 0}, {4, 40}}, []float64{400, 0, 400})
	c.X.Set(0, 0, -1)
	c.Y[0] = -1
	if !sameSet(s, numbered(5)) {
		t.Error("the selection shares memory with the set")
	}
	s.Y = nil
	if c := s.Select([]int{1}); c.Y != nil {
		t.Error("targets selected from none")
	}
	if n, _ := s.Select(nil).X.Dims(); n != 0 {
		t.Errorf("%d rows selected from none", n)
	}
}

func TestTargets(t *testing.T) {
	s := numbered(3)
	y := s.Targets()
	if n, q := y.Dims(); n != 3 || q != 1 || y.At(2, 0) != 200 {
		t.Errorf("targets %v", mat.Formatted(y))
	}
	y.Set(1, 0, -1)
	if s.Y[1] != -1 {
		t.Error("the matrix does not share the memory of the set")
	}
	if !(&Set{X: s.X}).Targets().IsEmpty() {
		t.Error("targets of a set without any")
	}
}

func TestShuffle(t *testing.T) {
	a, b, other := numbered(50), numbered(50), numbered(50)
	a.Shuffle(1)
	b.Shuffle(1)
	other.Shuffle(2)
	if !sameSet(a, b) {
		t.Error("one seed, two orders")
	}
	if sameSet(a, other) || sameSet(a, numbered(50)) {
		t.Error("the order does not depend on the seed")
	}
	for i, y := range a.Y {
		if row := a.X.RawRowView(i); row[0] != y/100 || row[1] != y/10 {
			t.Fatalf("row %v has target %v", row, y)
		}
	}
	slices.Sort(a.Y)
	if !slices.Equal(a.Y, numbered(50).Y) {
		t.Error("the targets are no longer the same ones")
	}
	a.Y = nil
	a.Shuffle(3)
}

// TestNothing passes nil and empty arguments to readers and sets.
func TestNothing(t *testing.T) {
	for _, r := range []io.Reader{nil, (*bytes.Buffer)(nil)} {
		_, csv := ReadCSV(r, Options{})
		_, svm := ReadSVM(r, Options{})
		_, _, idx := ReadIDX(r)
		for _, err := range []error{csv, svm, idx} {
			if !errors.Is(err, rkhs.ErrEmpty) || !strings.HasPrefix(err.Error(), "dataset: ") {
				t.Errorf("%T: error %v", r, err)
			}
		}
	}
	for _, s := range []*Set{nil, {}} {
		s.Shuffle(1)
		if !s.Targets().IsEmpty() || !s.Select(nil).X.IsEmpty() {
			t.Errorf("%v: there are rows", s)
		}
		func() {
			defer func() {
				if says, _ := recover().(string); !strings.Contains(says, "row 0 of a set without rows") {
					t.Errorf("Select of a row: %q", says)
				}
			}()
			s.Select([]int{0})
		}()
	}
}
