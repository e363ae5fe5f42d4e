package calibrate

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// The solver finds the common solution of consistent pairs. For inconsistent pairs the derivatives by all
// p are equal, the condition of the minimum.
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

// pairwise draws rows of three classes with scores of pairs, and labels by of.
func pairwise(n int, agree bool, of func(p, scores []float64)) Sample {
	r := rand.New(rand.NewPCG(3, 4))
	s := Sample{Scores: compute.NewMatrix(n, 3), Class: make([]int, n)}
	p := make([]float64, 3)
	for i := range n {
		row := compute.Row(s.Scores, i)
		for j := range row {
			row[j] = 2 * r.NormFloat64()
		}
		if agree {
			row[2] = row[1] - row[0]
		}
		of(p, row)
		u := r.Float64()
		for ; s.Class[i] < 2 && u >= p[s.Class[i]]; s.Class[i]++ {
			u -= p[s.Class[i]]
		}
	}
	return s
}

// Calibration uses the sums of pairs if they predict the classes. For consistent pairs it keeps pairwise
// coupling, and probabilities are close to the true ones. A file preserves them.
func TestSumsOfPairs(t *testing.T) {
	for _, agree := range []bool{false, true} {
		of := func(p, scores []float64) {
			sum(p, scores)
			softmax{slope: 1. / 3, shift: make([]float64, 3)}.to(p, p)
		}
		c := FitClasses(pairwise(2000, agree, of), 3, OfPairs, nil)
		if got := c.layout == ofSums; got == agree {
			t.Errorf("pairs that agree: %v, %+v", agree, c.Report())
		}
		var e codec.Encoder
		c.Encode(&e)
		d := codec.NewDecoder(e.Payload())
		again := DecodeClasses(d)
		if again.Check(d, 3, 3); d.Err() != nil {
			t.Fatal(d.Err())
		}
		got, want, same := make([]float64, 3), make([]float64, 3), make([]float64, 3)
		for _, scores := range [][]float64{{0, 0, 0}, {1, .5, -.5}, {-2, 1, 3}, {.7, 3, 2.3}} {
			c.To(got, scores)
			of(want, scores)
			again.To(same, scores)
			for k, v := range want {
				if math.Abs(got[k]-v) > .05 || same[k] != got[k] {
					t.Errorf("%v of %v: class %d has %v, from a file %v, want about %v", c.Report().Method, scores, k, got[k], same[k], v)
				}
			}
		}
	}
}
