package search

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// errorSlope is the derivative of the leave-one-out error of ridge regression by the Gram
// matrix of a kernel family φ(‖u_i − u_j‖²). With P as in leaveOneOut, a = P·y, q the
// diagonal of P and e = a/q the errors, the mean of e² changes with dK by
//
//	(2/n)·Σ_ij M_ij·dK_ij,   M = P·diag(e∘a/q²)·P − (P·(e/q))·aᵀ,
//
// summed over the outputs. Each e in M except the one in a/q is multiplied by the weight
// of its row. O(n³ + n²·d).
type errorSlope struct {
	y        compute.Matrix
	family   Family
	left     *leaveOneOut
	distance compute.Matrix // ‖u_i − u_j‖²
	gram     compute.Matrix
	slope    compute.Matrix // φ'
	p, m     compute.Matrix
	workers  int
}

func newErrorSlope(y compute.Matrix, weights compute.Weights, f Family, workers int) *errorSlope {
	square := func() compute.Matrix { return compute.NewMatrix(y.Rows, y.Rows) }
	return &errorSlope{y: y, family: f, left: newLeaveOneOut(weights, workers), distance: square(), gram: square(),
		slope: square(), p: square(), m: square(), workers: workers}
}

// Bounds of the logarithm of the noise.
var leastLogNoise, mostLogNoise = logOne(1e-10), logOne(1e3)

// at returns the mean squared error for mapped rows u and its derivative by the logarithm
// of the noise. ok is false if they are undefined.
func (s *errorSlope) at(u compute.Matrix, logNoise float64) (loss, byNoise float64, ok bool) {
	if !(logNoise >= leastLogNoise && logNoise <= mostLogNoise) {
		return 0, 0, false
	}
	if s.family == LaplacianByColumns {
		absoluteDistances(s.distance, u, s.workers)
	} else {
		compute.KernelSym(s.distance, u, compute.Func{Family: compute.SquaredDistance}, s.workers)
	}
	compute.Parallel(u.Rows, s.workers, func(i int) {
		s.family.profile(compute.Row(s.gram, i), compute.Row(s.slope, i), compute.Row(s.distance, i))
	})
	noise := compute.ExpOne(logNoise)
	if !s.left.factorise(s.gram, noise, s.y, u.Rows) {
		return 0, 0, false
	}
	loss, trace := s.weigh()
	return loss, 2 / float64(u.Rows) * trace * noise, loss > 0 && compute.Finite(loss) && compute.Finite(trace)
}

// weigh sets M. It returns the mean squared error over rows and outputs and the trace of
// M·N/noise, which is the derivative by the noise up to a factor.
func (s *errorSlope) weigh() (loss, trace float64) {
	n, l := s.y.Rows, s.left
	outputs := float64(s.y.Cols)
	l.projector(s.p)
	right, middle := compute.NewMatrix(n, s.y.Cols), make([]float64, n)
	for i := range n {
		q := s.p.Data[i*s.p.Stride+i]
		for j, a := range compute.Row(l.py, i) {
			e := a / q
			w := l.weights.At(i) * e
			loss += float64(w * e)
			middle[i] += float64(w*a) / float64(q*q) / outputs
			right.Data[i*right.Stride+j] = -w / q / outputs
		}
	}
	// All entries of middle are nonnegative, so P·diag(middle)·P has a root.
	root := compute.Clone(s.p)
	for i := range n {
		floats.Scale(math.Sqrt(middle[i]), compute.Row(root, i))
	}
	compute.Zero(s.m)
	compute.AddGram(s.m, root, s.workers)
	compute.Mirror(s.m)
	left := compute.NewMatrix(n, s.y.Cols)
	compute.MulNN(left, s.p, right, s.workers)
	compute.MulNT(s.m, left, l.py, s.workers)
	for i := range n {
		trace += s.m.Data[i*s.m.Stride+i] / l.weights.At(i)
	}
	return loss / float64(n) / outputs, trace
}

// change returns H = sym(M)∘φ', the derivative by the distances. It overwrites P.
func (s *errorSlope) change() compute.Matrix {
	h := s.p // free now
	compute.Parallel(h.Rows, s.workers, func(i int) {
		row, slope := compute.Row(h, i), compute.Row(s.slope, i)
		for j := range row {
			row[j] = (s.m.Data[i*s.m.Stride+j] + s.m.Data[j*s.m.Stride+i]) / 2 * slope[j]
		}
	})
	return h
}

// pairs returns B = (diag(H·1) − H)·v for a symmetric H. It satisfies
//
//	Σ_ij H_ij·(u_ia − u_ja)·(v_ib − v_jb) = 2·(uᵀB)_ab.
func pairs(h, v compute.Matrix, workers int) compute.Matrix {
	b := compute.NewMatrix(v.Rows, v.Cols)
	compute.MulNN(b, h, v, workers)
	for i := range v.Rows {
		r, row := sum(compute.Row(h, i)), compute.Row(b, i)
		for j, x := range compute.Row(v, i) {
			row[j] = float64(r*x) - row[j]
		}
	}
	return b
}

func logOne(x float64) float64 {
	v := []float64{x}
	compute.Log(v, v)
	return v[0]
}
