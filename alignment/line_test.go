package alignment

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestBestStep compares Proposition 2 with a fine grid of [0, limit] on inner products of three
// random vectors, including roots that are a minimum, above the limit, or missing.
func TestBestStep(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	inside, atZero, atLimit := 0, 0, 0
	for trial := range 20000 {
		n := 2 + r.IntN(4)
		k, further, target := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			k[i], further[i], target[i] = r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
		}
		switch trial % 5 {
		case 0: // parallel: bd = ae, and g is constant up to its sign
			for i := range n {
				further[i] = k[i] * math.Exp(2*r.NormFloat64())
			}
		case 1: // K orthogonal to the target
			for i := range n {
				k[i] = 0
			}
			k[0], target[0] = 1, 0
		}
		l := line{a: inner(k, target), b: inner(further, target), c: inner(k, k), d: inner(k, further), e: inner(further, further)}
		limit := math.Exp(3 * r.NormFloat64())
		got := l.best(limit)
		if !(got >= 0 && got <= limit) {
			t.Fatalf("step %v is outside of [0, %v] for %+v", got, limit, l)
		}
		best := math.Inf(-1)
		const points = 400
		for i := range points + 1 {
			best = max(best, l.at(limit*math.Pow(float64(i)/points, 2)))
		}
		if l.at(got) < best-1e-12*math.Sqrt(inner(target, target)) {
			t.Fatalf("trial %d: g(%v) = %v, the grid has %v for %+v in [0, %v]", trial, got, l.at(got), best, l, limit)
		}
		switch got {
		case 0:
			atZero++
		case limit:
			atLimit++
		default:
			inside++
		}
	}
	if inside < 2000 || atZero < 2000 || atLimit < 2000 {
		t.Errorf("%d steps inside, %d at zero, %d at the limit: the trials are too much alike", inside, atZero, atLimit)
	}
}

func inner(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += v * b[i]
	}
	return s
}
