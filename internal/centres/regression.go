package centres

import (
	"container/heap"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/linalg"
)

// Regression is the matrix A = K + N of the rows of x as kernel ridge regression needs it,
// N = s²I, or diag(s²/w) with weights w of the rows: an observation of weight w is as good
// as the mean of w of weight one. With Centred of vectors of sum zero, C·A·C for C = I − 1·1ᵀ/n, which leaves a
// constant free. Half of K is kept where Panels has kept it, and computed at each product
// otherwise, in single precision if it is asked for and the kernel has a form in it.
type Regression struct {
	Of      gram.Evaluator
	X       compute.Points
	Noise   float64         // s²
	Weights compute.Weights // of mean one, or nil
	Centred bool
	Single  bool        // whether K, where it is not kept, may be good to 1e-6 of its largest values
	Stopped func() bool // is asked within products, some times a second

	half    *gram.Symmetric
	of      gram.Evaluator // of rows that are mapped
	rows    compute.Points
	panels  []compute.Matrix // of K, the rows of each from its diagonal on
	near    [][]int32        // neighbours of each row behind it, ascending
	inverse Inverse
	ones    []float64 // P⁻¹1
	sum     float64   // 1ᵀP⁻¹1
}

// An Inverse is that of a matrix P near A.
type Inverse interface {
	// SolveTo sets dst to P⁻¹r, n×k.
	SolveTo(dst, r compute.Matrix)
}

const (
	// panelRows is the number of rows of K between two looks at whether to go on.
	panelRows = 512
	// squareRows is the number of rows of a panel that a worker holds at a time.
	squareRows = 128
)

// Panels computes half of K, of n²/2 numbers, keeps it if it is told to, and finds of
// each row the neighbours, so many of the rows behind it whose functions k(x, ·) are the
// nearest in direction. From time to time more gets the rows that are done, and tells
// whether to go on: else it returns false.
func (s *Regression) Panels(keep bool, neighbours int, more func(done int) bool) bool {
	n := s.X.Rows
	diag := make([]float64, n)
	s.Of.DiagOf(diag, s.X)
	for i, v := range diag {
		diag[i] = 1 / math.Sqrt(max(v, math.SmallestNonzeroFloat64))
	}
	s.near = make([][]int32, n)
	scratch := compute.NewMatrix(panelRows, n)
	of, x := s.mapped()
	of.SinglePrecision = s.Single && !keep
	for from, to := range compute.Chunks(n, panelRows) {
		if !more(from) {
			s.panels = nil
			return false
		}
		panel := compute.Columns(compute.Rows(scratch, 0, to-from), 0, n-from)
		if keep {
			panel = compute.NewMatrix(to-from, n-from)
			s.panels = append(s.panels, panel)
		}
		of.CrossOf(panel, x.Between(from, to), x.Between(from, n))
		compute.Parallel(to-from, s.Of.Workers, func(k int) {
			s.near[from+k] = nearest(compute.Row(panel, k)[k+1:], diag[from+k+1:], neighbours, from+k+1)
		})
	}
	return true
}

// nearest returns the places of the largest |k_j|·scale_j, m at most, in ascending order
// and counted from one on; of equal ones the first.
func nearest(k, scale []float64, m, from int) []int32 {
	var h similar
	for j, v := range k {
		v = math.Abs(v) * scale[j]
		switch {
		case len(h) < m:
			heap.Push(&h, neighbour{v, int32(from + j)})
		case m > 0 && v > h[0].value:
			h[0] = neighbour{v, int32(from + j)}
			heap.Fix(&h, 0)
		}
	}
	list := make([]int32, len(h))
	for i, v := range h {
		list[i] = v.at
	}
	slices.Sort(list)
	return list
}

// neighbour is a row, and how near it is.
type neighbour struct {
	value float64
	at    int32
}

// similar is a heap of neighbours with the farthest on top.
type similar []neighbour

func (h similar) Len() int           { return len(h) }
func (h similar) Less(i, j int) bool { return h[i].value < h[j].value }
func (h similar) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *similar) Push(v any)        { *h = append(*h, v.(neighbour)) }
func (h *similar) Pop() any          { old := *h; v := old[len(old)-1]; *h = old[:len(old)-1]; return v }

// SetInverse makes p the preconditioner. Where vectors sum to zero it is
//
//	P⁻¹ − P⁻¹1·1ᵀP⁻¹/(1ᵀP⁻¹1),
//
// the inverse of C·P·C on them.
func (s *Regression) SetInverse(p Inverse) {
	s.inverse = p
	if !s.Centred {
		return
	}
	ones, u := compute.NewMatrix(s.X.Rows, 1), compute.NewMatrix(s.X.Rows, 1)
	floats.AddConst(1, ones.Data)
	p.SolveTo(u, ones)
	s.ones, s.sum = u.Data, floats.Sum(u.Data)
}

// Apply sets dst to A·v, or C·A·v for v of sum zero.
func (s *Regression) Apply(dst, v compute.Matrix) bool {
	if !s.Product(dst, v) {
		return false
	}
	if s.Centred {
		linalg.CentreColumns(dst)
	}
	return true
}

// Product sets dst to A·v. O(n²·(d + k)), or O(n²·k) where K is kept.
func (s *Regression) Product(dst, v compute.Matrix) bool {
	n, workers := s.X.Rows, s.Of.Workers
	compute.Zero(dst)
	if s.Single && s.panels == nil && s.half == nil && s.X.Sparse == nil {
		s.half = s.Of.Symmetric(s.X.Matrix)
	}
	if s.half != nil {
		if !s.half.AddMul(dst, v, s.Stopped) {
			return false
		}
		s.addNoise(dst, v)
		return true
	}
	for p, at := 0, 0; at < n; p, at = p+1, at+panelRows {
		if s.Stopped() {
			return false
		}
		to := min(at+panelRows, n)
		if s.panels == nil {
			s.addStripe(dst, v, at, to)
			continue
		}
		compute.MulNN(compute.Rows(dst, at, to), s.panels[p], compute.Rows(v, at, n), workers)
		compute.MulTN(compute.Rows(dst, to, n), compute.Columns(s.panels[p], to-at, n-at), compute.Rows(v, at, to), workers)
	}
	s.addNoise(dst, v)
	return true
}

func (s *Regression) addNoise(dst, v compute.Matrix) {
	for i := range v.Rows {
		noise, to := s.Noise/s.Weights.At(i), compute.Row(dst, i)
		for o, w := range compute.Row(v, i) {
			to[o] += float64(noise * w)
		}
	}
}

// addStripe adds to dst what the rows [from, to) of K and the columns that mirror them make
// of v. Each worker holds one square of K at a time, so that half of K is computed and none
// of it leaves the cache.
func (s *Regression) addStripe(dst, v compute.Matrix, from, to int) {
	of, x := s.mapped()
	of.Workers = 1
	parts := make([]compute.Matrix, 1+(s.X.Rows-to+panelRows-1)/panelRows)
	compute.Parallel(len(parts), s.Of.Workers, func(p int) {
		parts[p] = compute.NewMatrix(to-from, v.Cols)
		left, right := from+p*panelRows, min(to+p*panelRows, s.X.Rows)
		square := compute.NewMatrix(squareRows, right-left)
		for at, end := range compute.Chunks(to-from, squareRows) {
			k := compute.Rows(square, 0, end-at)
			of.CrossOf(k, x.Between(from+at, from+end), x.Between(left, right))
			compute.MulNN(compute.Rows(parts[p], at, end), k, compute.Rows(v, left, right), 1)
			if p > 0 {
				compute.MulTN(compute.Rows(dst, left, right), k, compute.Rows(v, from+at, from+end), 1)
			}
		}
	})
	for _, part := range parts {
		floats.Add(compute.Rows(dst, from, to).Data, part.Data)
	}
}

// mapped returns the kernel and the rows once a matrix that the kernel maps them by has
// been applied.
func (s *Regression) mapped() (gram.Evaluator, compute.Points) {
	if s.rows.Rows == 0 {
		s.of, s.rows = s.Of.MappedPoints(s.X)
	}
	return s.of, s.rows
}

// Precondition sets dst to P⁻¹r, or, where vectors sum to zero, to that of SetInverse.
func (s *Regression) Precondition(dst, r compute.Matrix) {
	s.inverse.SolveTo(dst, r)
	if !s.Centred || !(s.sum > 0) {
		return
	}
	for o, sum := range columnSums(dst) {
		for i, u := range s.ones {
			dst.Data[i*dst.Stride+o] -= float64(sum / s.sum * u)
		}
	}
}

// Kept reports whether half of K is kept.
func (s *Regression) Kept() bool { return s.panels != nil }

// FactoriseKept replaces the half of K that is kept by a Cholesky factor of A in its memory, or returns nil if more
// says no. Products compute K from then on.
func (s *Regression) FactoriseKept(more func(done int) bool) *Factor {
	panels := Panels(s.panels)
	s.panels = nil
	return NewFactorIn(panels, s.Of, s.X, s.Noise, s.Weights, more)
}

// LessConstantOfLast is LessConstant for the last numbers of the diagonal.
func (s *Regression) LessConstantOfLast(diag []float64) {
	if len(s.ones) == 0 {
		return
	}
	for i, u := range s.ones[len(s.ones)-len(diag):] {
		diag[i] -= float64(u * u / s.sum)
	}
}

// LessConstant turns the diagonal of P⁻¹ into that of what SetInverse makes of it.
func (s *Regression) LessConstant(diag []float64) {
	for i, u := range s.ones {
		diag[i] -= float64(u * u / s.sum)
	}
}

// Size bounds the norm of A by its trace.
func (s *Regression) Size() float64 {
	diag := make([]float64, s.X.Rows)
	s.Of.DiagOf(diag, s.X)
	return floats.Sum(diag) + s.Noise/s.Weights.Least()
}

// LeastNoise is the s² below which it is rounding beside K at some row: 2⁻⁵² of the trace,
// which bounds the norm, or of 1 where K is zero, times the largest weight.
func LeastNoise(of gram.Evaluator, x compute.Points, weights compute.Weights) float64 {
	most := weights.Most()
	diag := make([]float64, x.Rows)
	of.DiagOf(diag, x)
	if trace := floats.Sum(diag); trace > 0 {
		return 2 * unitRoundoff * trace * most
	}
	return 2 * unitRoundoff * most
}

func columnSums(m compute.Matrix) []float64 {
	sums := make([]float64, m.Cols)
	for i := range m.Rows {
		floats.Add(sums, compute.Row(m, i))
	}
	return sums
}
