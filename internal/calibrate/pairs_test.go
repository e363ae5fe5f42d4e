package calibrate

import (
	"math"
	"math/rand/v2"
	"testing"
)

// What pairs agree on is found, and where they do not the condition of the minimum holds: the
// derivatives by all p are equal.
func TestCouple(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, k := range []int{3, 4, 10, 26, 60} {
		for _, size := range []float64{0, 1, 5, 40} {
			v, noise := make([]float64, k), make([]float64, k*k)
			for i := range v {
				v[i] = size * random.NormFloat64()
				for j := range i {
					noise[i*k+j] = size * random.NormFloat64()
					noise[j*k+i] = -noise[i*k+j]
				}
			}
			p, sum := make([]float64, k), 0.0
			couple(p, func(i, j int) float64 { return logistic(v[i] - v[j]) })
			for _, x := range v {
				sum += math.Exp(x)
			}
			for i, x := range v {
				if want := math.Exp(x) / sum; math.Abs(p[i]-want) > 1e-12 {
					t.Errorf("%d classes of scores of size %v: class %d has %v, want %v", k, size, i, p[i], want)
				}
			}
			r := func(i, j int) float64 { return logistic(v[i] - v[j] + noise[i*k+j]) }
			couple(p, r)
			sum = 0
			var least, most float64
			for i := range p {
				slope := 0.0
				for j := range p {
					if j != i {
						slope += r(j, i) * (r(j, i)*p[i] - r(i, j)*p[j])
					}
				}
				sum += p[i]
				if i == 0 {
					least, most = slope, slope
				}
				least, most = min(least, slope), max(most, slope)
				if !(p[i] > 0 && p[i] <= 1) {
					t.Errorf("%d classes of size %v: class %d has %v", k, size, i, p[i])
				}
			}
			if math.Abs(sum-1) > 1e-14 || most-least > 1e-13 {
				t.Errorf("%d classes of size %v: sum %v, derivatives from %v to %v", k, size, sum, least, most)
			}
		}
	}
}
