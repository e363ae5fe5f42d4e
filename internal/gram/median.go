package gram

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// medianRows is the largest number of rows of a median distance.
const medianRows = 1000

// MedianDistance returns the median of the positive Euclidean distances between rows of x, or between 1000 rows drawn
// by seed if there are more. It returns 1 if these rows are equal. The rows must be finite, and at least one. The
// error wraps rkhs.ErrDiverged for a median that is out of range for a bandwidth.
func MedianDistance(x compute.Points, seed uint64) (float64, error) {
	const most = 1e150
	if x.Rows > medianRows {
		x = x.Pick(rng.New(seed, "median distance", 0).Sample(x.Rows, medianRows))
	}
	m := median(distances(x))
	if !(m >= 1/most && m <= most) {
		return 0, fmt.Errorf("kernel: the median distance of rows is %v, out of range for a bandwidth: %w", m, rkhs.ErrDiverged)
	}
	return m, nil
}

// distances returns the positive distances of all pairs of rows, or 1 without positive distances.
func distances(rows compute.Points) []float64 {
	n := rows.Rows
	d := make([]float64, n*(n-1)/2)
	compute.Parallel(n, 0, func(i int) {
		for j := range i {
			d[i*(i-1)/2+j] = distanceOf(rows, i, j)
		}
	})
	d = slices.DeleteFunc(d, func(v float64) bool { return v == 0 })
	if len(d) == 0 {
		return []float64{1}
	}
	return d
}

// distanceOf returns a distance that is accurate even if its square is out of range.
func distanceOf(rows compute.Points, i, j int) float64 {
	const smallestSquare = 1e-290
	if s := rows.Sparse; s != nil {
		return math.Sqrt(s.SquaredDistance(i, s, j))
	}
	x, y := compute.Row(rows.Matrix, i), compute.Row(rows.Matrix, j)
	if d := SquaredDistance(x, y); d > smallestSquare && d <= math.MaxFloat64 {
		return math.Sqrt(d)
	}
	return floats.Distance(x, y, 2)
}

// median reorders v. Of an even number of elements it returns the lower of the middle two, so a median distance is
// the distance of some pair.
func median(v []float64) float64 {
	k := (len(v) - 1) / 2
	for len(v) > 1 {
		p := v[len(v)/2]
		less, equal := partition(v, p)
		switch {
		case k < less:
			v = v[:less]
		case k < less+equal:
			return p
		default:
			v, k = v[less+equal:], k-less-equal
		}
	}
	return v[0]
}

// partition moves the elements less than p to the front, followed by the elements equal to p, and returns their
// numbers.
func partition(v []float64, p float64) (less, equal int) {
	end := len(v)
	for i := 0; i < end; {
		switch x := v[i]; {
		case x < p:
			v[i], v[less] = v[less], x
			less++
			i++
		case x > p:
			end--
			v[i], v[end] = v[end], x
		default:
			i++
		}
	}
	return less, end - less
}
