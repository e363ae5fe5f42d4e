package linalg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// stream appends points of the plane to a factor. A third of them repeat a
// present point to ±1e-9. A fifth of the dictionary is never deleted, so
// errors of its inverse diagonal can accumulate. The stream deletes other
// points at random.
type stream struct {
	rng        *rand.Rand
	c          *Cholesky
	tol        float64
	points     []point
	duplicates int
}

func (s *stream) update() {
	const size, kept = 60, 12
	n := len(s.points)
	if n == size || n > kept && s.rng.IntN(4) == 0 {
		i := kept + s.rng.IntN(n-kept)
		s.c.Delete(i, nil)
		s.points = slices.Delete(s.points, i, i+1)
		return
	}
	x, again := uniform(s.rng, 5), n > 0 && s.rng.IntN(3) == 0
	if again {
		x = near(s.rng, s.points[s.rng.IntN(n)])
	}
	if _, ok := s.c.Append(kernelRow(x, s.points), 1, s.tol); ok {
		s.points = append(s.points, x)
		if again {
			s.duplicates++
		}
	}
}

// errors returns max|LLᵀ − K| and the relative errors of the inverse diagonal
// against one from the same factor and against another method.
func (s *stream) errors(t *testing.T) (product, drift, diag float64) {
	a := gram(s.points, s.c.Jitter())
	var r mat.Dense
	l := factor(s.c)
	r.Mul(l, l.T())
	r.Sub(&r, a)
	fresh := cloneOf(s.c)
	fresh.TrackInverseDiag()
	return math.Max(mat.Max(&r), -mat.Min(&r)),
		relativeError(s.c.InverseDiag(), fresh.InverseDiag()),
		relativeError(s.c.InverseDiag(), inverseDiag(t, a))
}

// Updates of an explicit inverse along this stream would be useless after a thousand steps.
func TestCholeskyLongStream(t *testing.T) {
	for _, tc := range []struct {
		name                 string
		tol                  float64
		product, drift, diag float64
	}{
		{"near-duplicates rejected", 1e-7, 1e-14, 1e-9, 1e-7},
		{"near-duplicates admitted", 0, 1e-14, 1e-9, 1e-6},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := &stream{rng: newRand(11), c: NewCholesky(1e-8), tol: tc.tol}
			s.c.TrackInverseDiag()
			var product, drift, diag float64
			for range 100 {
				for range 1000 {
					s.update()
				}
				p, r, d := s.errors(t)
				product, drift, diag = max(product, p), max(drift, r), max(diag, d)
			}
			t.Logf("%d near-duplicates, max|LLᵀ−K| %.2g, inverse diagonal: drift %.2g, error %.2g", s.duplicates, product, drift, diag)
			if (s.duplicates > 0) != (tc.tol == 0) {
				t.Errorf("%d near-duplicates were admitted", s.duplicates)
			}
			if product > tc.product || drift > tc.drift || diag > tc.diag {
				t.Errorf("want at most %g, %g, %g", tc.product, tc.drift, tc.diag)
			}
		})
	}
}
