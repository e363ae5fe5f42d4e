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

// medianRows is the number of rows that a median distance is taken over.
const medianRows = 1000

// MedianDistance returns the median of the positive Euclidean distances between rows of x, of 1000 rows drawn by
// seed if there are more, or 1 if these rows are equal. The rows must be finite, and at least one. The error
// wraps rkhs.ErrDiverged for a median that is out of range for a bandwidth.
func MedianDistance(x compute.Points, seed uint64) (float64, error) {
	const most = 1e150
	m := median(distances(sampleRows(x, seed)))
	if !(m >= 1/most && m <= most) {
		return 0, fmt.Errorf("kernel: the median distance of rows is %v, out of range for a bandwidth: %w", m, rkhs.ErrDiverged)
	}
	return m, nil
}

// distances returns the positive distances of all pairs of rows, or 1 if there
// are none.
func distances(rows compute.Points) []float64 {
	n := rows.Rows
	d := make([]float64, n*(n-1)/2)
	compute.Parallel(n, 0, func(i int) {
		// Row i stands below the i(i−1)/2 pairs of the rows before it.
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

func distanceOf(rows compute.Points, i, j int) float64 {
	if s := rows.Sparse; s != nil {
		return math.Sqrt(s.SquaredDistance(i, s, j))
	}
	return euclideanDistance(compute.Row(rows.Matrix, i), compute.Row(rows.Matrix, j))
}

// euclideanDistance is right also where the square of the distance is out of range.
func euclideanDistance(x, y []float64) float64 {
	if d := SquaredDistance(x, y); d > smallestSquare && d <= math.MaxFloat64 {
		return math.Sqrt(d)
	}
	return floats.Distance(x, y, 2)
}

// smallestSquare is where squares of parts of a distance may be lost.
const smallestSquare = 1e-290

func sampleRows(x compute.Points, seed uint64) compute.Points {
	if x.Rows <= medianRows {
		return x
	}
	return x.Pick(rng.New(seed, "median distance", 0).Sample(x.Rows, medianRows))
}

// median reorders v. Of an even number of elements it takes the lower of the two
// in the middle, so that a median distance is the distance of some pair.
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

// partition puts the elements below p first and then those equal to p, and
// returns how many there are of each.
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
