package revisit

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// history accelerates the passes. After each pass it minimises the quadratic of the steps over the
// span of the last changes, for each output. The passes then precondition a conjugate direction
// method. It needs no features, O(n·q·k²) for k changes.
type history struct {
	changes []change
	spare   *change // memory for the next change, or nil
}

// newHistory returns an empty history, or nil for losses with kinks, which change their quadratic
// after each pass.
func newHistory(s *Solver) *history {
	if s.kink != nil {
		return nil
	}
	return new(history)
}

// historyLength is the number of changes in memory.
const historyLength = 6

// leastChange is the square of a change, relative to the solution, below which inner products of changes
// are rounding errors.
const leastChange = 1e-17

// begin starts to sum the steps of a pass.
func (h *history) begin(s *Solver) {
	if h == nil {
		return
	}
	if s.change, h.spare = h.spare, nil; s.change != nil {
		s.change.clear()
		return
	}
	s.change = &change{constant: make([]float64, s.scores.Cols), f: compute.NewMatrix(s.scores.Rows, s.scores.Cols)}
	for _, a := range s.Function.Blocks {
		s.change.a = append(s.change.a, compute.NewMatrix(a.Rows, a.Cols))
	}
}

// end minimises over all changes and replaces the last change by the total step.
func (h *history) end(s *Solver) {
	if h == nil {
		return
	}
	h.changes = append(h.changes, *s.change)
	s.change = nil
	s.residual()
	for o := range s.Function.Outputs {
		if c := h.minimum(s, o); c != nil {
			h.step(s, o, c)
		}
	}
	if len(h.changes) == historyLength {
		h.spare = &h.changes[0]
		h.changes = h.changes[1:]
	}
}

// minimum returns the step of output o along each change.
func (h *history) minimum(s *Solver, o int) []float64 {
	k, lam, trained := len(h.changes), s.lam(), s.trained()
	gram, right := mat.NewSymDense(k, nil), mat.NewVecDense(k, nil)
	compute.Parallel(k, s.workers, func(i int) {
		m := h.changes[i]
		for j := i; j < k; j++ {
			gram.SetSym(i, j, m.inner(h.changes[j], o, trained, lam))
		}
		slope := dot(m.f, s.r, o, trained)
		for b, a := range m.a {
			slope -= lam * blas64.Dot(column(a, o, a.Rows), column(s.Function.Blocks[b], o, a.Rows))
		}
		right.SetVec(i, slope)
	})
	if at := s.solution(); gram.At(k-1, k-1) <= leastChange*at.inner(at, o, trained, lam) {
		return nil
	}
	return solveSmall(gram, right)
}

// step performs a step along the changes and adds it to the last change.
func (h *history) step(s *Solver, o int, c []float64) {
	k := len(c) - 1
	at, last := s.solution(), h.changes[k]
	at.addTimes(o, c[k], last)
	last.scale(o, 1+c[k])
	for i, m := range h.changes[:k] {
		at.addTimes(o, c[i], m)
		last.addTimes(o, c[i], m)
	}
}

// solveSmall solves a positive semidefinite system, scaled to a unit diagonal, without the
// eigenvectors below rounding. It returns nil on failure.
func solveSmall(gram *mat.SymDense, right *mat.VecDense) []float64 {
	n := right.Len()
	unit := make([]float64, n)
	for i := range unit {
		if d := gram.At(i, i); d > 0 {
			unit[i] = 1 / math.Sqrt(d)
		}
	}
	for i := range n {
		right.SetVec(i, unit[i]*right.AtVec(i))
		for j := i; j < n; j++ {
			gram.SetSym(i, j, unit[i]*gram.At(i, j)*unit[j])
		}
	}
	var e mat.EigenSym
	if !e.Factorize(gram, true) {
		return nil
	}
	var q mat.Dense
	e.VectorsTo(&q)
	c := make([]float64, n)
	for i, v := range e.Values(nil) {
		if v > 1e-9*float64(n) {
			s := mat.Dot(q.ColView(i), right) / v
			for j := range c {
				c[j] += s * q.At(j, i) * unit[j]
			}
		}
	}
	return c
}

// change is a change of coefficients, of the constant and of scores. It is a sum of steps, so its
// scores match its coefficients at any size.
type change struct {
	a        []compute.Matrix
	constant []float64
	f        compute.Matrix
}

// clear sets m to zero.
func (m *change) clear() {
	clear(m.constant)
	clear(m.f.Data)
	for _, a := range m.a {
		clear(a.Data)
	}
}

// add adds a step of block b and of the constant with its scores.
func (m *change) add(b int, step compute.Matrix, shift []float64, scores compute.Matrix) {
	floats.Add(m.constant, shift)
	blas64.Axpy(1, compute.Vector(step.Data), compute.Vector(m.a[b].Data))
	blas64.Axpy(1, compute.Vector(scores.Data), compute.Vector(m.f.Data))
}

// addTimes adds c times output o of another change.
func (m change) addTimes(o int, c float64, other change) {
	blas64.Axpy(c, column(other.f, o, m.f.Rows), column(m.f, o, m.f.Rows))
	m.constant[o] += float64(c * other.constant[o])
	for b, a := range other.a {
		blas64.Axpy(c, column(a, o, a.Rows), column(m.a[b], o, a.Rows))
	}
}

// scale multiplies output o.
func (m change) scale(o int, by float64) {
	blas64.Scal(by, column(m.f, o, m.f.Rows))
	m.constant[o] *= by
	for _, a := range m.a {
		blas64.Scal(by, column(a, o, a.Rows))
	}
}

// inner returns the inner product of output o of two changes in the metric of F.
func (m change) inner(w change, o int, trained *descent.Risk, lam float64) float64 {
	s := dot(m.f, w.f, o, trained)
	for b, a := range m.a {
		s += lam * blas64.Dot(column(a, o, a.Rows), column(w.a[b], o, a.Rows))
	}
	return s
}

// dot returns Σ_i w_i·a_io·b_io over the rows of a risk.
func dot(a, b compute.Matrix, o int, r *descent.Risk) float64 {
	n := r.Count()
	if r.Weights == nil {
		return blas64.Dot(column(a, o, n), column(b, o, n))
	}
	sum := 0.0
	for i, w := range r.Weights {
		sum += float64(w * a.Data[i*a.Stride+o] * b.Data[i*b.Stride+o])
	}
	return sum
}

// column returns the first elements of column j.
func column(m compute.Matrix, j, rows int) blas64.Vector {
	return compute.Column(compute.Rows(m, 0, rows), j)
}

// add adds a step to block b and one to the constant, and the given change to the scores.
func (s *Solver) add(b int, step compute.Matrix, shift []float64, scores compute.Matrix) {
	s.Function.Add(b, step)
	floats.Add(s.Constant, shift)
	blas64.Axpy(1, compute.Vector(scores.Data), compute.Vector(s.scores.Data))
	if s.change != nil {
		s.change.add(b, step, shift, scores)
	}
}

// shift adds to the constant.
func (s *Solver) shift(by []float64) {
	floats.Add(s.Constant, by)
	compute.AddRow(s.scores, by)
	if s.change != nil {
		floats.Add(s.change.constant, by)
		compute.AddRow(s.change.f, by)
	}
}

// solution returns the solution as a change from zero, which shares its memory. The running scale is 1.
func (s *Solver) solution() change {
	return change{a: s.Function.Blocks, constant: s.Constant, f: s.scores}
}

// Snapshot is a copy of a solution.
type Snapshot struct {
	function *blocks.Function
	constant []float64
	scores   compute.Matrix
}

// Snapshot returns a copy of the solution.
func (s *Solver) Snapshot() Snapshot {
	return Snapshot{s.Function.Clone(), slices.Clone(s.Constant), compute.Clone(s.scores)}
}

// Restore returns to a snapshot, which must not be used afterwards.
func (s *Solver) Restore(from Snapshot) {
	s.Function, s.Constant, s.scores = from.function, from.constant, from.scores
}
