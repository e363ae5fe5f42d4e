package loss

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Softmax is −f_y + log Σ_c exp(f_c), the multinomial logistic loss. f_c is the log-probability of
// class c up to a common constant.
type Softmax struct{}

// Value returns −f_y + log Σ_c exp(f_c), without overflow.
func (Softmax) Value(f []float64, class int) float64 {
	top, rest := largest(f), 0.0
	for c, v := range f {
		if c != top {
			rest += compute.ExpOne(v - f[top])
		}
	}
	return f[top] - f[class] + math.Log1p(rest)
}

// Gradient sets dst_c to the probability of class c, minus 1 for the true class.
func (s Softmax) Gradient(dst, f []float64, class int) {
	s.Probabilities(dst, f)
	dst[class]--
}

// Curvature returns 1/2, a bound of the eigenvalues of diag(p) − ppᵀ.
func (Softmax) Curvature() float64 { return 0.5 }

// Rate returns 12, because the curvature is much smaller than its bound if most labels are correct.
func (Softmax) Rate() float64 { return labelRate }

// Probabilities sets dst_c to exp(f_c)/Σ_k exp(f_k). dst may be f. It panics if
// the lengths differ.
func (Softmax) Probabilities(dst, f []float64) {
	checkLengths(dst, f)
	top, sum := f[largest(f)], 0.0
	for c, v := range f {
		dst[c] = compute.ExpOne(v - top)
		sum += dst[c]
	}
	for c := range dst {
		dst[c] /= sum
	}
}

func (Softmax) String() string { return "Softmax{}" }

// MulticlassHinge is max(0, 1 + f_r − f_y), where r is the wrong class with the highest score
// (Crammer and Singer, 2001). It is zero for one class.
type MulticlassHinge struct{}

// Value returns max(0, 1 + f_r − f_y).
func (MulticlassHinge) Value(f []float64, class int) float64 {
	rival := largestBut(f, class)
	if rival < 0 {
		return 0
	}
	return max(0, 1+f[rival]-f[class])
}

// Gradient sets dst to +1 at r and −1 at y if the loss is positive, and to zero otherwise. On a tie,
// r is the first class.
func (MulticlassHinge) Gradient(dst, f []float64, class int) {
	checkLengths(dst, f)
	rival := largestBut(f, class)
	active := rival >= 0 && 1+f[rival]-f[class] > 0
	clear(dst)
	if active {
		dst[rival], dst[class] = 1, -1
	}
}

// Curvature returns +Inf.
func (MulticlassHinge) Curvature() float64 { return math.Inf(1) }

func (MulticlassHinge) String() string { return "MulticlassHinge{}" }

func largest(f []float64) int { return largestBut(f, -1) }

// largestBut returns the first index of the largest element other than but, or -1.
func largestBut(f []float64, but int) int {
	best := -1
	for c, v := range f {
		if c != but && (best < 0 || v > f[best]) {
			best = c
		}
	}
	return best
}

func checkLengths(dst, f []float64) {
	if len(dst) != len(f) {
		panic("loss: destination and scores differ in length")
	}
}
