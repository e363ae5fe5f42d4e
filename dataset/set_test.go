package dataset

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/rkhs-go/rkhs"
)

// numbered returns a set whose row i is (i, 10·i) with target 100·i.
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

func TestSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		fraction := rapid.Float64Range(0, math.Nextafter(1, 0)).Draw(t, "fraction")
		seed := rapid.Uint64().Draw(t, "seed")
		train, test, err := Split(n, fraction, seed)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := float64(len(test)), fraction*float64(n); math.Abs(got-want) > 0.5 && len(train) > 1 {
			t.Errorf("%v rows to test on, want %v", got, want)
		}
		if len(train) == 0 {
			t.Error("no rows to train on")
		}
		all := slices.Concat(train, test)
		slices.Sort(all)
		if !slices.Equal(all, sequence(0, n)) {
			t.Errorf("the parts together are %v", all)
		}
		again, _, _ := Split(n, fraction, seed)
		if !slices.Equal(train, again) {
			t.Error("one seed, two splits")
		}
	})
}

func TestSplitErrors(t *testing.T) {
	for _, f := range []float64{-.1, 1, 1.5, math.NaN(), math.Inf(1)} {
		_, _, err := Split(10, f, 0)
		checkError(t, err, rkhs.ErrOption, "testFraction")
	}
	_, _, err := Split(0, .5, 0)
	checkError(t, err, rkhs.ErrEmpty, "0 rows")
}
