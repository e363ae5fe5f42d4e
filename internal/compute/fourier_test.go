package compute

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func testFourierValues[T float](t *testing.T, engines []*engine[T], tol float64) {
	rnd := rand.New(rand.NewPCG(9, 9))
	for _, s := range [][3]int{{1, 1, 1}, {13, 17, 5}, {98, 192, 20}, {30, 200, 300}} {
		n, m, d := s[0], s[1], s[2]
		x, w := random[T](rnd, n, d, 1), random[T](rnd, m, d, 2)
		x.data[0] = 1e30 // one row of angles beyond the range of the fast reduction
		for _, workers := range []int{1, 2, 8} {
			var pairs matrix[T]
			for i := range engines {
				e := engines[len(engines)-1-i]
				p := random[T](rnd, n, 2*m, 0)
				e.fourierPairs(p, x, w, 0.5, workers)
				if i == 0 {
					pairs = p
				}
				same(t, fmt.Sprint("pairs ", e.name, s), p.data, pairs.data)
			}
			for i := 1; i < n; i++ {
				for j := range m {
					_, angle := pairSums(x.row(i, 0, d), w.row(j, 0, d))
					got := [2]float64{float64(pairs.data[i*2*m+j]), float64(pairs.data[i*2*m+m+j])}
					want := [2]float64{0.5 * math.Cos(angle), 0.5 * math.Sin(angle)}
					for k := range got {
						if math.Abs(got[k]-want[k]) > tol*math.Sqrt(float64(d)) {
							t.Fatalf("%v: feature %d of row %d, frequency %d is %v, want %v", s, k, i, j, got[k], want[k])
						}
					}
				}
			}
		}
	}
}

func TestFourier(t *testing.T)   { testFourierValues(t, engines64, 3e-15) }
func TestFourier32(t *testing.T) { testFourierValues(t, engines32, 2e-6) }
