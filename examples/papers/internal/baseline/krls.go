package baseline

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/linalg"
)

// KRLS is kernel recursive least squares. It solves least squares over all rows, with each k(x_i,
// ·) projected onto the span of the dictionary at its time. A point joins the dictionary if its
// squared distance from the span exceeds Nu (approximate linear dependence). Source: Engel, Mannor
// and Meir, "The kernel recursive least-squares algorithm", 2004.
type KRLS struct {
	Nu     float64
	f      *Expansion
	factor *linalg.Cholesky // of the dictionary's Gram matrix
	p      *mat.SymDense    // (AᵀA)⁻¹ for the coefficients a of all previous rows
}

// NewKRLS returns an untrained learner with one output.
func NewKRLS(k kernel.Kernel, inputs int, nu float64) *KRLS {
	return &KRLS{Nu: nu, f: newExpansion(k, inputs, 1), factor: linalg.NewCholesky(0)}
}

// Update trains on one row and returns the error before the update.
func (l *KRLS) Update(x []float64, y float64) (e float64) {
	values := append([]float64(nil), l.f.row(x)...)
	e = y - floats.Dot(values, l.f.weights)
	a := make([]float64, len(values))
	if len(values) > 0 {
		l.factor.SolveVecTo(a, values)
	}
	s, joins := l.factor.Append(values, l.f.kernel.Kernel.Eval(x, x), l.Nu)
	if joins {
		l.join(x, a, e/s)
	} else {
		l.correct(a, e)
	}
	return e
}

// join adds the point x. The new function interpolates it.
func (l *KRLS) join(x, a []float64, weight float64) {
	floats.AddScaled(l.f.weights, -weight, a)
	l.f.append(x, []float64{weight})
	m := len(a) + 1
	p := mat.NewSymDense(m, nil)
	for i := range m - 1 {
		for j := i; j < m-1; j++ {
			p.SetSym(i, j, l.p.At(i, j))
		}
	}
	p.SetSym(m-1, m-1, 1)
	l.p = p
}

// correct updates the weights for a row with coefficients a.
func (l *KRLS) correct(a []float64, e float64) {
	m := len(a)
	var q mat.VecDense
	q.MulVec(l.p, mat.NewVecDense(m, a))
	scale := 1 / (1 + floats.Dot(a, q.RawVector().Data))
	l.p.SymRankOne(l.p, -scale, &q)
	g := make([]float64, m)
	l.factor.SolveVecTo(g, q.RawVector().Data)
	floats.AddScaled(l.f.weights, scale*e, g)
}

// Function returns the current function. The next Update changes it.
func (l *KRLS) Function() *Expansion { return l.f }
