package calibrate

import "github.com/rkhs-go/rkhs/internal/compute"

// couple sets p, of K classes, to the probabilities that agree best with those of pairs, for
// which r(i, j) = P(i | i or j) = 1 − r(j, i) is between 0 and 1:
//
//	min_p Σ_i Σ_{j≠i} (r(j, i)·p_i − r(i, j)·p_j)²,  Σp = 1
//
// (Wu, Lin and Weng, "Probability estimates for multi-class classification by pairwise
// coupling", 2004, the second way). With Q of half of that sum as pᵀQp they are the p of
// (Q + 1·1ᵀ)p = 1 over their sum: a matrix that is positive definite, since Q is 0 along one
// direction at most, and that is one of positive p. O(K³).
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
	sum := 0.0
	for i, v := range p {
		p[i] = max(v, leastCoupled)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
}

// sums returns a sample of scores of pairs with a score for each class.
func sums(s Sample, classes int) Sample {
	scores := compute.NewMatrix(s.Rows(), classes)
	for i := range scores.Rows {
		sum(compute.Row(scores, i), compute.Row(s.Scores, i))
	}
	s.Scores = scores
	return s
}

// sum sets dst, of each class, to the sum of the scores of its pairs, with the sign by which they are for it.
func sum(dst, scores []float64) {
	clear(dst)
	for i := range dst {
		for j := i + 1; j < len(dst); j++ {
			s := scores[pairIndex(len(dst), i, j)]
			dst[i], dst[j] = dst[i]-s, dst[j]+s
		}
	}
}

// leastCoupled stands for what rounding makes of the least probabilities.
const leastCoupled = 0x1p-52
