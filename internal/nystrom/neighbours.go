package nystrom

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// Neighbours is the inverse of
//
//	P = e·eᵀ + (GᵀG)⁻¹,   P⁻¹ = Gᵀ·(I − F·(I + FᵀF)⁻¹·Fᵀ)·G,   F = G·e,
//
// where e are the functions of centres at the rows, and the sparse triangular G approximates the inverse
// Cholesky factor of the residual R = K + N − e·eᵀ. Row i of G has elements at i and at later neighbours.
// They are the last row of the inverse factor of R restricted to these rows. It minimises the
// Kullback–Leibler divergence for its pattern. The centres capture the smooth part of K; the residual is
// nearly local, the more so the rougher the kernel and the smaller s². Sources: Zhao, Xu, Huang, Chow and
// Xi, "An adaptive factorized Nyström preconditioner for regularized kernel matrices", SIAM Journal on
// Scientific Computing 46, 2024; Schäfer, Katzfuss and Owhadi, "Sparse Cholesky factorization by
// Kullback–Leibler minimization", SIAM Journal on Scientific Computing 43, 2021.
type Neighbours struct {
	f       compute.Matrix // n×q
	near    [][]int32      // neighbours of each row, ascending
	g       [][]float64    // row i of G at near, and then the diagonal
	far     [][]element    // column j of G without the diagonal
	factor  compute.Matrix // Cholesky factor of I + FᵀF
	workers int
}

// element is an element of G: its row and its position there.
type element struct{ row, at int32 }

// columnsAtOnce is the number of columns in the unit of work of applyInPlace.
const columnsAtOnce = 64

// NewNeighbours uses the neighbours found by Panels and the functions e of centres at the rows, which it
// overwrites with F. It returns nil if more, called with the number of finished rows, returns false.
// O(n·m²·(q + m) + n·q²) for m neighbours and q centres.
func NewNeighbours(s *Regression, e compute.Matrix, more func(done int) bool) *Neighbours {
	n := s.X.Rows
	p := &Neighbours{near: s.near, g: make([][]float64, n), far: make([][]element, n), workers: s.Of.Workers}
	if p.near == nil {
		p.near = make([][]int32, n)
	}
	of := s.Of
	of.Workers = 1
	for from, to := range compute.Chunks(n, panelRows/2) {
		if !more(from) {
			return nil
		}
		compute.Parallel(to-from, p.workers, func(k int) { p.g[from+k] = s.row(of, from+k, p.near[from+k], e) })
	}
	for i, near := range p.near {
		for at, j := range near {
			p.far[j] = append(p.far[j], element{int32(i), int32(at)})
		}
	}
	p.f = e
	p.applyInPlace(e)
	if !more(n) {
		return nil
	}
	p.factor = compute.NewMatrix(e.Cols, e.Cols)
	compute.AddGram(p.factor, p.f, p.workers)
	for i := range p.factor.Rows {
		p.factor.Data[i*p.factor.Stride+i]++
	}
	if !compute.Cholesky(p.factor, p.workers) {
		return nil
	}
	return p
}

// row returns row i of G.
func (s *Regression) row(of gram.Evaluator, i int, near []int32, e compute.Matrix) []float64 {
	set := make([]int, 0, len(near)+1)
	for _, j := range near {
		set = append(set, int(j))
	}
	set = append(set, i)
	x, at := s.X.Pick(set), compute.Pick(e, set)
	r, explained := compute.NewMatrix(len(set), len(set)), compute.NewMatrix(len(set), len(set))
	of.GramOf(r, x)
	compute.MulNT(explained, at, at, 1)
	for k, v := range explained.Data {
		r.Data[k] -= v
	}
	for k, j := range set {
		r.Data[k*r.Stride+k] += s.Noise / s.Weights.At(j)
	}
	last := r.Data[len(r.Data)-1]
	g := compute.NewMatrix(len(set), 1)
	g.Data[len(set)-1] = 1
	if !compute.Cholesky(r, 1) {
		g.Data[len(set)-1] = 1 / math.Sqrt(max(last, s.Noise/s.Weights.At(i)))
		return g.Data
	}
	compute.SolveUpper(r, g, false, 1) // with R = UᵀU the last row of U⁻ᵀ is the last column of U⁻¹
	return g.Data
}

// apply sets dst to G·v.
func (p *Neighbours) apply(dst, v compute.Matrix) {
	compute.Parallel(v.Rows, p.workers, func(i int) {
		row, g := compute.Row(dst, i), p.g[i]
		last := g[len(g)-1]
		for o, w := range compute.Row(v, i) {
			row[o] = last * w
		}
		for at, j := range p.near[i] {
			floats.AddScaled(row, g[at], compute.Row(v, int(j)))
		}
	})
}

// applyInPlace sets v to G·v. Row i of G refers to rows from i on only.
func (p *Neighbours) applyInPlace(v compute.Matrix) {
	compute.Parallel((v.Cols+columnsAtOnce-1)/columnsAtOnce, p.workers, func(k int) {
		part := compute.Columns(v, k*columnsAtOnce, min((k+1)*columnsAtOnce, v.Cols))
		for i := range part.Rows {
			row, g := compute.Row(part, i), p.g[i]
			floats.Scale(g[len(g)-1], row)
			for at, j := range p.near[i] {
				floats.AddScaled(row, g[at], compute.Row(part, int(j)))
			}
		}
	})
}

// applyTransposed sets dst to Gᵀ·v.
func (p *Neighbours) applyTransposed(dst, v compute.Matrix) {
	compute.Parallel(v.Rows, p.workers, func(j int) {
		row, g := compute.Row(dst, j), p.g[j]
		last := g[len(g)-1]
		for o, w := range compute.Row(v, j) {
			row[o] = last * w
		}
		for _, from := range p.far[j] {
			floats.AddScaled(row, p.g[from.row][from.at], compute.Row(v, int(from.row)))
		}
	})
}

// SolveTo sets dst to P⁻¹r. O(n·(m + q)·k).
func (p *Neighbours) SolveTo(dst, r compute.Matrix) {
	t := compute.NewMatrix(r.Rows, r.Cols)
	p.apply(t, r)
	a := compute.NewMatrix(p.f.Cols, r.Cols)
	compute.MulTN(a, p.f, t, p.workers)
	solveFactor(p.factor, a, p.workers)
	floats.Scale(-1, a.Data)
	compute.MulNN(t, p.f, a, p.workers)
	p.applyTransposed(dst, t)
}
