package nystrom

import (
	"container/heap"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/linalg"
)

// Regression is the matrix A = K + N of kernel ridge regression at the rows of X, with N = s²I, or
// diag(s²/w) for weights w of the rows. With Centred it is C·A·C, C = I − 1·1ᵀ/n, on vectors of sum zero,
// which leaves a constant unpenalised. Products use half of K if Panels kept it, and compute K otherwise.
type Regression struct {
	Of      gram.Evaluator
	X       compute.Points
	Noise   float64         // s²
	Weights compute.Weights // of mean one, or nil
	Centred bool
	Single  bool        // whether K, unless kept, may have errors of 1e-6 of its largest elements
	Stopped func() bool // is called several times a second within products

	half    *gram.Symmetric
	of      gram.Evaluator // of mapped rows
	rows    compute.Points
	panels  []compute.Matrix // of K, from the diagonal on
	near    [][]int32        // later neighbours of each row, ascending
	inverse Inverse
	ones    []float64 // P⁻¹1
	sum     float64   // 1ᵀP⁻¹1
}

// An Inverse is the inverse of a matrix P near A.
type Inverse interface {
	// SolveTo sets dst to P⁻¹r, n×k.
	SolveTo(dst, r compute.Matrix)
}

const (
	// panelRows is the number of rows of K between two calls of Stopped.
	panelRows = 512
	// squareRows is the number of rows of a panel in the unit of work.
	squareRows = 128
)

// Panels computes half of K and keeps it, n²/2 numbers, if keep is set. For each row it finds the given
// number of neighbours among later rows, with the largest cosines between the functions k(x, ·). It
// returns false if more, called with the number of finished rows, returns false.
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

// nearest returns the indices, plus from, of the m largest |k_j|·scale_j in ascending order. Among equal
// values it prefers the first.
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

// neighbour is a row and its similarity.
type neighbour struct {
	value float64
	at    int32
}

// similar is a heap of neighbours with the least similar on top.
type similar []neighbour

func (h similar) Len() int           { return len(h) }
func (h similar) Less(i, j int) bool { return h[i].value < h[j].value }
func (h similar) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *similar) Push(v any)        { *h = append(*h, v.(neighbour)) }
func (h *similar) Pop() any          { old := *h; v := old[len(old)-1]; *h = old[:len(old)-1]; return v }

// SetInverse sets the preconditioner to p, or with Centred to
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
		linalg.CentreColumns(compute.Dense(dst))
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

// addStripe adds the products of rows [from, to) of K, and of the mirrored columns, with v to dst. Each
// worker computes one square of K at a time, which fits into the cache. Only half of K is computed.
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

// mapped returns the kernel and the rows after the linear map of the kernel, if it has one.
func (s *Regression) mapped() (gram.Evaluator, compute.Points) {
	if s.rows.Rows == 0 {
		s.of, s.rows = s.Of.MappedPoints(s.X)
	}
	return s.of, s.rows
}

// Precondition sets dst to P⁻¹r, with the matrix of SetInverse.
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

// FactoriseKept overwrites the kept half of K with a Cholesky factor of A. It returns nil if more returns
// false. Later products compute K.
func (s *Regression) FactoriseKept(more func(done int) bool) *Factor {
	panels := Panels(s.panels)
	s.panels = nil
	return NewFactorIn(panels, s.Of, s.X, s.Noise, s.Weights, more)
}

// LessConstantOfLast is LessConstant for the last elements of the diagonal.
func (s *Regression) LessConstantOfLast(diag []float64) {
	if len(s.ones) == 0 {
		return
	}
	for i, u := range s.ones[len(s.ones)-len(diag):] {
		diag[i] -= float64(u * u / s.sum)
	}
}

// LessConstant converts the diagonal of P⁻¹ to the diagonal of the matrix of SetInverse.
func (s *Regression) LessConstant(diag []float64) { s.LessConstantOfLast(diag) }

// Size bounds the norm of A by its trace.
func (s *Regression) Size() float64 {
	diag := make([]float64, s.X.Rows)
	s.Of.DiagOf(diag, s.X)
	return floats.Sum(diag) + s.Noise/s.Weights.Least()
}

// LeastNoise returns the smallest s² above rounding of K at all rows: 2⁻⁵² times the largest weight times
// the trace of K, which bounds its norm, or times 1 if K is zero.
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
