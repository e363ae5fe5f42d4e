package dataset

import (
	"bytes"
	"compress/gzip"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
)

// values returns the features of s, row by row.
func values(s *Set) []float64 {
	return s.X.RawMatrix().Data
}

// checkSet fails unless s is the table of these rows, bit for bit.
func checkSet(t *testing.T, s *Set, x [][]float64, y []float64) {
	t.Helper()
	n, d := s.X.Dims()
	if n != len(x) || d != len(x[0]) {
		t.Fatalf("features are %d×%d, want %d×%d", n, d, len(x), len(x[0]))
	}
	if want := slices.Concat(x...); !sameBits(values(s), want) {
		t.Errorf("features %v, want %v", values(s), want)
	}
	if !sameBits(s.Y, y) {
		t.Errorf("targets %v, want %v", s.Y, y)
	}
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) })
}

func sameSet(a, b *Set) bool {
	an, ad := a.X.Dims()
	bn, bd := b.X.Dims()
	return an == bn && ad == bd && sameBits(values(a), values(b)) && sameBits(a.Y, b.Y)
}

// checkError fails unless err wraps the sentinel and its message has all parts.
func checkError(t *testing.T, err, sentinel error, parts ...string) {
	t.Helper()
	if !errors.Is(err, sentinel) {
		t.Errorf("error %v, want %q", err, sentinel)
		return
	}
	for _, p := range append(parts, "dataset: ") {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("error %q does not say %q", err, p)
		}
	}
}

// checkWellFormed fails unless the set of a reader satisfies the documentation of Set, or the reader
// returned a documented error.
func checkWellFormed(t *testing.T, s *Set, err error) {
	t.Helper()
	if err != nil {
		if s != nil {
			t.Errorf("a set beside the error %v", err)
		}
		checkKnown(t, err)
		return
	}
	n, d := s.X.Dims()
	if n == 0 || d == 0 || s.Y != nil && len(s.Y) != n {
		t.Fatalf("features %d×%d, %d targets", n, d, len(s.Y))
	}
	checkFinite(t, values(s))
	checkFinite(t, s.Y)
}

func checkKnown(t *testing.T, err error) {
	t.Helper()
	for _, known := range []error{rkhs.ErrFormat, rkhs.ErrNotFinite, rkhs.ErrEmpty, rkhs.ErrOption, rkhs.ErrShape, rkhs.ErrMemory} {
		if errors.Is(err, known) {
			return
		}
	}
	t.Errorf("error %v wraps no sentinel", err)
}

func checkFinite(t *testing.T, values []float64) {
	t.Helper()
	if s := floats.Sum(values); s-s == 0 {
		return // the sum of anything with a NaN or an infinity is not finite
	}
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatalf("value %d is %v", i, v)
		}
	}
}

func compress(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}
