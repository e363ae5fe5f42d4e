package doublysgd

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// history holds the moves of the last passes. After each pass the same quadratic
// that the steps minimise is minimised over their span, for each output by
// itself: the passes become a preconditioner, and what would take many of them
// along the valleys of F takes few. It needs no features, O(n·q·k²) for k moves.
type history struct {
	moves []move
}

// move is a change of coefficients, one matrix a block, and of scores. It is summed up
// out of steps, not a difference of places: its scores are those of its coefficients
// however small it is.
type move struct {
	a        []compute.Matrix
	constant []float64
	f        compute.Matrix
}

// newHistory returns a history without moves; of losses with kinks it takes none,
// since what is minimised there changes after each pass.
func newHistory(v *revisit) *history {
	if v.kink != nil {
		return nil
	}
	return new(history)
}

// historyLength is the number of moves that are kept.
const historyLength = 6

// leastMove is the square of a move, as a fraction of where it leads, below which
// the inner products of moves are rounding: passes alone then lead on.
const leastMove = 1e-17

// begin has the steps of a pass summed up.
func (h *history) begin(v *revisit) {
	if h == nil {
		return
	}
	v.moved = &move{constant: make([]float64, v.f.Cols), f: compute.NewMatrix(v.f.Rows, v.f.Cols)}
	for _, a := range v.function.Blocks {
		v.moved.a = append(v.moved.a, compute.NewMatrix(a.Rows, a.Cols))
	}
}

// add adds the steps of block b and of the constant, and their scores.
func (m *move) add(b int, step compute.Matrix, shift []float64, scores compute.Matrix) {
	floats.Add(m.constant, shift)
	blas64.Axpy(1, compute.Vector(step.Data), compute.Vector(m.a[b].Data))
	blas64.Axpy(1, compute.Vector(scores.Data), compute.Vector(m.f.Data))
}

// end takes the move of the pass in, goes to the minimum over all moves, and
// keeps the step that this makes in all in the place of the move: of a quadratic
// the last step is all of the past that a conjugate direction needs.
func (h *history) end(v *revisit) {
	if h == nil {
		return
	}
	h.moves = append(h.moves, *v.moved)
	v.moved = nil
	v.residual()
	for o := range v.function.Outputs {
		if c := h.minimum(v, o); c != nil {
			h.step(v, o, c)
		}
	}
	if len(h.moves) == historyLength {
		h.moves = h.moves[1:]
	}
}

// minimum returns how far output o is to go along each move.
func (h *history) minimum(v *revisit, o int) []float64 {
	k, lam := len(h.moves), v.lam()
	gram, right := mat.NewSymDense(k, nil), mat.NewVecDense(k, nil)
	compute.Parallel(k, v.workers, func(i int) {
		m := h.moves[i]
		for j := i; j < k; j++ {
			gram.SetSym(i, j, m.inner(h.moves[j], o, v.train, lam))
		}
		s := blas64.Dot(column(m.f, o, v.train), column(v.r, o, v.train))
		for b, a := range m.a {
			s -= lam * blas64.Dot(column(a, o, a.Rows), column(v.function.Blocks[b], o, a.Rows))
		}
		right.SetVec(i, s)
	})
	if at := placeOf(v); gram.At(k-1, k-1) <= leastMove*at.inner(at, o, v.train, lam) {
		return nil
	}
	return solveSmall(gram, right)
}

// step goes so far, and makes the last move what the pass and this step are together.
func (h *history) step(v *revisit, o int, c []float64) {
	k := len(c) - 1
	at, last := placeOf(v), h.moves[k]
	at.addTimes(o, c[k], last)
	last.scale(o, 1+c[k])
	for i, m := range h.moves[:k] {
		at.addTimes(o, c[i], m)
		last.addTimes(o, c[i], m)
	}
}

// placeOf returns the move from zero to where v is, in its own memory; the running scale is 1.
func placeOf(v *revisit) move { return move{a: v.function.Blocks, constant: v.constant, f: v.f} }

// addTimes adds c times output o of another move.
func (m move) addTimes(o int, c float64, other move) {
	blas64.Axpy(c, column(other.f, o, m.f.Rows), column(m.f, o, m.f.Rows))
	m.constant[o] += float64(c * other.constant[o])
	for b, a := range other.a {
		blas64.Axpy(c, column(a, o, a.Rows), column(m.a[b], o, a.Rows))
	}
}

// scale multiplies output o.
func (m move) scale(o int, by float64) {
	blas64.Scal(by, column(m.f, o, m.f.Rows))
	m.constant[o] *= by
	for _, a := range m.a {
		blas64.Scal(by, column(a, o, a.Rows))
	}
}

// inner returns the inner product of output o of two moves in which F is measured.
func (m move) inner(w move, o, rows int, lam float64) float64 {
	s := blas64.Dot(column(m.f, o, rows), column(w.f, o, rows))
	for b, a := range m.a {
		s += lam * blas64.Dot(column(a, o, a.Rows), column(w.a[b], o, a.Rows))
	}
	return s
}

// solveSmall solves a positive semidefinite system in the space of the
// eigenvectors that rounding leaves, in units that make its diagonal ones: old
// moves are far larger than new ones. It returns nil if there are none.
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

// column returns the first elements of column j.
func column(m compute.Matrix, j, rows int) blas64.Vector {
	return compute.Column(compute.Rows(m, 0, rows), j)
}
