package centres

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/linalg"
)

// Normal is the matrix
//
//	A = EᵀCE + s²I,   E = e(x),   C = I − 1·1ᵀ/n, or I without Centred,
//
// of kernel ridge regression on centres at n rows, f = b + e·a, A·a = EᵀC·y. Its
// preconditioner is A for a sample of the rows, which counts n/m times for m of them.
// Sources: Rudi, Carratino and Rosasco, "FALKON: an optimal large scale kernel method",
// NIPS 2017, for the iteration; a sample of rows that is larger than the centres are many
// in the place of these, which with a small ridge are too few.
type Normal struct {
	X       compute.Matrix // n×d
	Centred bool
	Stopped func() bool // is asked within products

	sample *Sample
	noise  float64        // s²
	factor compute.Matrix // Cholesky factor of the preconditioner
	sums   compute.Matrix // k(C, X)·1
}

// NewNormal takes centres and the rows they were drawn from, a sample of those of x.
func NewNormal(sample *Sample, x compute.Matrix, noise float64, centred bool, stopped func() bool) *Normal {
	s := &Normal{X: x, Centred: centred, Stopped: stopped, sample: sample, noise: noise}
	s.factorise()
	return s
}

// factorise overwrites the sample's E. The noise that the factor needs may be more than s².
func (s *Normal) factorise() {
	e, workers := s.sample.E, s.sample.Of.Workers
	if s.Centred {
		linalg.CentreColumns(e)
	}
	gram := compute.NewMatrix(e.Cols, e.Cols)
	compute.AddGram(gram, e, workers)
	s.sample.E = compute.Matrix{}
	share := float64(s.X.Rows) / float64(e.Rows)
	for noise := s.noise; compute.Finite(noise); noise *= 10 {
		s.factor = compute.Clone(gram)
		floats.Scale(share, s.factor.Data)
		for i := range s.factor.Rows {
			s.factor.Data[i*s.factor.Stride+i] += noise
		}
		if compute.Cholesky(s.factor, workers) {
			return
		}
	}
}

// Right returns EᵀC·y, or false if it was stopped. O(n·q·(d + k)).
func (s *Normal) Right(y compute.Matrix) (right compute.Matrix, ok bool) {
	withOnes := compute.NewMatrix(y.Rows, y.Cols+1)
	compute.CopyTo(compute.Columns(withOnes, 0, y.Cols), y)
	for i := range y.Rows {
		withOnes.Data[i*withOnes.Stride+y.Cols] = 1
	}
	all := compute.NewMatrix(s.sample.Count(), y.Cols+1)
	ok = s.rows(func(k compute.Matrix, from, to int) {
		compute.MulTN(all, k, compute.Rows(withOnes, from, to), s.sample.Of.Workers)
	})
	s.sums = compute.Clone(compute.Columns(all, y.Cols, y.Cols+1))
	right = compute.Clone(compute.Columns(all, 0, y.Cols))
	if s.Centred {
		s.lessMean(right, columnSums(y))
	}
	return s.sample.Coordinates(right), ok
}

// rows calls do for the kernel values of rows and centres, some rows at a time.
func (s *Normal) rows(do func(k compute.Matrix, from, to int)) bool {
	scratch := compute.NewMatrix(min(chunkRows, s.X.Rows), s.sample.Count())
	for from, to := range compute.Chunks(s.X.Rows, chunkRows) {
		if s.Stopped() {
			return false
		}
		k := compute.Rows(scratch, 0, to-from)
		s.sample.Of.Cross(k, compute.Rows(s.X, from, to), s.sample.Points)
		do(k, from, to)
	}
	return true
}

// lessMean turns k(C, X)·v into k(C, X)·C·v, given the sums of v.
func (s *Normal) lessMean(kv compute.Matrix, sums []float64) {
	for i, all := range s.sums.Data {
		floats.AddScaled(compute.Row(kv, i), -all/float64(s.X.Rows), sums)
	}
}

// Apply sets dst to A·v. O(n·q·(d + k) + q²·k).
func (s *Normal) Apply(dst, v compute.Matrix) bool {
	w, all, sums := s.sample.Weights(v), compute.NewMatrix(v.Rows, v.Cols), make([]float64, v.Cols)
	f := compute.NewMatrix(min(chunkRows, s.X.Rows), v.Cols)
	if !s.rows(func(k compute.Matrix, from, to int) {
		part := compute.Rows(f, 0, to-from)
		compute.Zero(part)
		compute.MulNN(part, k, w, s.sample.Of.Workers)
		floats.Add(sums, columnSums(part))
		compute.MulTN(all, k, part, s.sample.Of.Workers)
	}) {
		return false
	}
	if s.Centred {
		s.lessMean(all, sums)
	}
	compute.CopyTo(dst, s.sample.Coordinates(all))
	for i, u := range v.Data {
		dst.Data[i] += float64(s.noise * u)
	}
	return true
}

// Means returns the means of e(x)·a over the rows, for the weights of k(x, C) that make it.
func (s *Normal) Means(weights compute.Matrix) []float64 {
	m := make([]float64, weights.Cols)
	for i, all := range s.sums.Data {
		floats.AddScaled(m, all/float64(s.X.Rows), compute.Row(weights, i))
	}
	return m
}

// Precondition sets dst to P⁻¹r. O(q²·k).
func (s *Normal) Precondition(dst, r compute.Matrix) {
	compute.CopyTo(dst, r)
	compute.SolveUpper(s.factor, dst, true, s.sample.Of.Workers)
	compute.SolveUpper(s.factor, dst, false, s.sample.Of.Workers)
}

// Size is the largest diagonal element of P times the number of centres.
func (s *Normal) Size() float64 {
	most := 0.0
	for j := range s.factor.Cols {
		column := compute.Columns(compute.Rows(s.factor, 0, j+1), j, j+1)
		most = math.Max(most, compute.ColumnDots(column, column)[0])
	}
	return most
}
