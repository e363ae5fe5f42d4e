package doublysgd

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// history holds the moves of the last sweeps. After each sweep the same quadratic
// that the steps minimise is minimised over their span, for each output by
// itself: the sweeps become a preconditioner, and what would take many of them
// along the valleys of F takes few. It needs no features, O(n·q·k²) for k moves.
type history struct {
	moves  []move
	before move // where the sweep began
}

// move is a change of coefficients, one matrix a block, and of scores.
type move struct {
	a []compute.Matrix
	f compute.Matrix
}

// newHistory returns a history without moves; of losses with kinks it takes none,
// since what is minimised there changes after each sweep.
func newHistory(v *revisit) *history {
	if v.kink != nil {
		return nil
	}
	return new(history)
}

// historyLength is the number of moves that are kept.
const historyLength = 6

// begin remembers where a sweep starts.
func (h *history) begin(v *revisit) {
	if h == nil {
		return
	}
	h.before = move{f: cloneMatrix(v.f)}
	for b := range v.e.blocks {
		h.before.a = append(h.before.a, v.e.coefficients(b))
	}
}

// end takes the move of the sweep in, and goes to the minimum over all moves.
func (h *history) end(v *revisit) {
	if h == nil {
		return
	}
	m := h.before
	for b, a := range m.a {
		subtractFrom(a, v.e.coefficients(b))
	}
	subtractFrom(m.f, v.f)
	h.moves = append(h.moves, m)
	if len(h.moves) > historyLength {
		h.moves = h.moves[1:]
	}
	v.residual()
	for o := range v.e.outputs {
		h.minimise(v, o)
	}
}

// subtractFrom sets m to x − m.
func subtractFrom(m, x compute.Matrix) {
	for i, v := range x.Data {
		m.Data[i] = v - m.Data[i]
	}
}

// minimise takes the step of output o.
func (h *history) minimise(v *revisit, o int) {
	k, lam := len(h.moves), v.lam()
	gram, right := mat.NewSymDense(k, nil), mat.NewVecDense(k, nil)
	compute.Parallel(k, v.workers, func(i int) {
		m := h.moves[i]
		for j := i; j < k; j++ {
			gram.SetSym(i, j, m.inner(h.moves[j], o, v.train, lam))
		}
		s := blas64.Dot(column(m.f, o, v.train), column(v.r, o, v.train))
		for b, a := range m.a {
			s -= lam * v.e.scale * blas64.Dot(column(a, o, a.Rows), column(v.e.blocks[b], o, a.Rows))
		}
		right.SetVec(i, s)
	})
	c, ok := solveSmall(gram, right)
	if !ok {
		return
	}
	for i, m := range h.moves {
		blas64.Axpy(c.AtVec(i), column(m.f, o, m.f.Rows), column(v.f, o, m.f.Rows))
		for b, a := range m.a {
			blas64.Axpy(c.AtVec(i)/v.e.scale, column(a, o, a.Rows), column(v.e.blocks[b], o, a.Rows))
		}
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

// solveSmall solves in the space of the eigenvectors that rounding leaves.
func solveSmall(gram *mat.SymDense, right *mat.VecDense) (*mat.VecDense, bool) {
	n := right.Len()
	var e mat.EigenSym
	if !e.Factorize(gram, true) {
		return nil, false
	}
	var q mat.Dense
	e.VectorsTo(&q)
	values := e.Values(nil)
	c := mat.NewVecDense(n, nil)
	for i, v := range values {
		if v > 1e-12*values[n-1] {
			u := q.ColView(i)
			c.AddScaledVec(c, mat.Dot(u, right)/v, u)
		}
	}
	return c, true
}

func column(m compute.Matrix, j, rows int) blas64.Vector {
	return blas64.Vector{N: rows, Inc: m.Stride, Data: m.Data[j:]}
}
