package calibrate

import "math"

// couple sets p, of K classes, to the probabilities that agree best with those of pairs, for
// which r(i, j) = P(i | i or j) = 1 − r(j, i):
//
//	min_p Σ_i Σ_{j≠i} (r(j, i)·p_i − r(i, j)·p_j)²,  Σp = 1
//
// by the iteration of Wu, Lin and Weng ("Probability estimates for multi-class classification
// by pairwise coupling", 2004, algorithm 2). O(K²) a step.
func couple(p []float64, r func(i, j int) float64) {
	k := len(p)
	q := make([]float64, k*k)
	for i := range k {
		p[i] = 1 / float64(k)
		for j := range k {
			if j != i {
				q[i*k+i] += float64(r(j, i) * r(j, i))
				q[i*k+j] = -float64(r(j, i) * r(i, j))
			}
		}
	}
	qp := make([]float64, k)
	for range max(100, k) {
		norm := 0.0
		for i := range k {
			qp[i] = 0
			for j, v := range p {
				qp[i] += float64(q[i*k+j] * v)
			}
			norm += float64(p[i] * qp[i])
		}
		worst := 0.0
		for _, v := range qp {
			worst = max(worst, math.Abs(v-norm))
		}
		if worst < 0.005/float64(k) {
			return
		}
		for i := range k {
			change := (norm - qp[i]) / q[i*k+i]
			p[i] += change
			norm = (norm + float64(change*(float64(change*q[i*k+i])+2*qp[i]))) / float64((1+change)*(1+change))
			for j := range p {
				qp[j] = (qp[j] + float64(change*q[i*k+j])) / (1 + change)
				p[j] /= 1 + change
			}
		}
	}
}
