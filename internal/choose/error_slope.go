package choose

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// errorSlope is how the leave-one-out error of ridge regression changes with the Gram
// matrix of a family of kernels φ(‖u_i − u_j‖²). With P as in leaveOneOut, a = P·y, q the
// diagonal of P and e = a/q the errors, the change of the mean of e² by a change dK is
//
//	(2/n)·Σ_ij M_ij·dK_ij,   M = P·diag(e∘a/q²)·P − (P·(e/q))·aᵀ,
//
// summed over the outputs, each e but the one in a/q times the weight of its row.
// O(n³ + n²·d).
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

// The logarithm of the noise stays between these.
var leastLogNoise, mostLogNoise = logOne(1e-10), logOne(1e3)

// at returns the mean squared error for mapped rows u and the logarithm of a noise, and its
// derivative by that. It reports false where there is none.
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

// weigh sets M and returns the mean squared error, over rows and outputs, and the trace of
// M·N/noise, by which it changes with the noise.
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
	// P·diag(middle)·P, all of whose weights are nonnegative.
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

// change returns H = sym(M)∘φ', by which the error changes with the distances. M is lost.
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

// pairs returns B = (diag(H·1) − H)·v for a symmetric H, of which
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
