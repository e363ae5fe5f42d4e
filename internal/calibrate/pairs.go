package calibrate

import "github.com/rkhs-go/rkhs/internal/compute"

// leastCoupled is the smallest coupled probability before normalisation.
const leastCoupled = 0x1p-52

// couple sets p to the class probabilities that agree best with r(i, j) = P(i | i or j) in (0, 1):
//
//	min_p Σ_i Σ_{j≠i} (r(j, i)·p_i − r(i, j)·p_j)²,  Σp = 1.
//
// With half of that sum written as pᵀQp, p is the solution of (Q + 1·1ᵀ)p = 1, divided by its sum. The
// matrix is positive definite. O(K³). Source: Wu, Lin and Weng, "Probability estimates for multi-class
// classification by pairwise coupling", 2004, the second method.
func couple(p []float64, r func(i, j int) float64) {
	a := compute.NewMatrix(len(p), len(p))
	for i := range p {
		row := compute.Row(a, i)
		p[i], row[i] = 1, 1
		for j := range p {
			if j != i {
				row[i] += float64(r(j, i) * r(j, i))
				row[j] = 1 - float64(r(j, i)*r(i, j))
			}
		}
	}
	compute.Cholesky(a, 1)
	x := compute.ColumnOf(p)
	compute.SolveUpper(a, x, true, 1)
	compute.SolveUpper(a, x, false, 1)
	for i, v := range p {
		p[i] = max(v, leastCoupled)
	}
	normalise(p)
}

// sums returns s with a score for each class in place of each pair.
func sums(s Sample, classes int) Sample {
	scores := compute.NewMatrix(s.Rows(), classes)
	for i := range scores.Rows {
		sum(compute.Row(scores, i), compute.Row(s.Scores, i))
	}
	s.Scores = scores
	return s
}

// sum sets dst to the sum of the scores of the pairs of each class, signed so that a positive score
// favours the class.
func sum(dst, scores []float64) {
	clear(dst)
	for i := range dst {
		for j := i + 1; j < len(dst); j++ {
			s := scores[pairIndex(len(dst), i, j)]
			dst[i], dst[j] = dst[i]-s, dst[j]+s
		}
	}
}

// pairAt returns the classes of pair j.
func pairAt(count, j int) (first, second int) {
	for first = 0; j >= count-1-first; first++ {
		j -= count - 1 - first
	}
	return first, first + 1 + j
}

// pairIndex returns the column of a pair of classes, first < second.
func pairIndex(count, first, second int) int {
	return first*(2*count-first-1)/2 + second - first - 1
}
