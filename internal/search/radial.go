package search

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// profile sets k to φ(s) and slope to φ'(s) for squared distances s in units of the
// bandwidth. φ is exp(−s/2) for the Gaussian, (1 + √(3s))·exp(−√(3s)) for Matérn 3/2 and
// exp(−√s) for Matérn 1/2. The slope of Matérn 1/2 at 0 is undefined and set to 0: no
// metric changes a zero distance. For LaplacianByColumns s is the absolute distance and φ
// is exp(−s).
func (f Family) profile(k, slope, s []float64) {
	switch f {
	case GaussianFamily:
		for i, v := range s {
			k[i] = -v / 2
		}
		compute.Exp(k, k)
		for i, v := range k {
			slope[i] = -v / 2
		}
	case Matern32Family:
		for i, v := range s {
			k[i] = -math.Sqrt(3 * v)
		}
		compute.Exp(slope, k)
		for i, e := range slope {
			k[i], slope[i] = (1-k[i])*e, -1.5*e
		}
	case LaplacianByColumns:
		for i, v := range s {
			k[i] = -v
		}
		compute.Exp(k, k)
		for i, v := range k {
			slope[i] = -v
		}
	default:
		for i, v := range s {
			k[i] = -math.Sqrt(v)
		}
		compute.Exp(slope, k)
		for i, e := range slope {
			root := -k[i]
			k[i], slope[i] = e, 0
			if root > leastDistance {
				slope[i] = -e / (2 * root)
			}
		}
	}
}

// leastDistance is the distance in bandwidths below which two rows count as equal.
const leastDistance = 1e-6
