package alignmentpaper

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// grid is a list of kernels with the Gram matrices of the training rows.
type grid struct {
	kernels []kernel.Kernel
	grams   []blas64.General
}

func newGrid(kernels []kernel.Kernel, x blas64.General) *grid {
	g := &grid{kernels: kernels}
	for _, k := range kernels {
		m := compute.NewMatrix(x.Rows, x.Rows)
		gram.Evaluator{Kernel: k}.Gram(m, x)
		g.grams = append(g.grams, m)
	}
	return g
}

// sum returns the weighted sum of the kernels, scaled to a Gram matrix of trace n.
func (g *grid) sum(weights []float64) kernel.Sum {
	trace, n := 0.0, 0
	for i, m := range g.grams {
		n = m.Rows
		for j := range n {
			trace += weights[i] * m.Data[j*m.Stride+j]
		}
	}
	var sum kernel.Sum
	for i, k := range g.kernels {
		if weights[i] > 0 {
			sum = append(sum, kernel.Scale{By: weights[i] * float64(n) / trace, Of: k})
		}
	}
	return sum
}

// uniform is the method DU.
func uniform(ctx context.Context, t task, d split) (outcome, error) {
	train, _, _ := d.rows()
	g := newGrid(t.grid(train), train)
	weights := make([]float64, len(g.kernels))
	for i := range weights {
		weights[i] = 1
	}
	return machine(ctx, g.sum(weights), d)
}

// aligned is the method DA. It minimises vᵀMv − 2vᵀa over v ≥ 0 with M_kl = <C·K_k·C, C·K_l·C> and
// a_k = <C·K_k·C, yyᵀ>. Source: Cortes, Mohri and Rostamizadeh, "Two-stage learning kernel
// algorithms", ICML 2010, proposition 3.
func aligned(ctx context.Context, t task, d split) (outcome, error) {
	train, _, _ := d.rows()
	g := newGrid(t.grid(train), train)
	return machine(ctx, g.sum(g.alignedWeights(d.train.Y)), d)
}

func (g *grid) alignedWeights(y []float64) []float64 {
	m, a := len(g.grams), make([]float64, len(g.grams))
	centred := make([][]float64, m)
	for k, gram := range g.grams {
		centred[k] = centre(gram)
		for i, v := range y {
			row := blas64.Vector{N: len(y), Inc: 1, Data: centred[k][i*len(y):]}
			a[k] += v * blas64.Dot(row, blas64.Vector{N: len(y), Inc: 1, Data: y})
		}
	}
	// Normalise each kernel to norm 1, so that the problem is well scaled.
	norm := make([]float64, m)
	for k, c := range centred {
		norm[k] = floats.Norm(c, 2)
		a[k] /= norm[k]
	}
	products := compute.NewMatrix(m, m)
	for k := range m {
		for l := range m {
			products.Data[k*m+l] = floats.Dot(centred[k], centred[l]) / (norm[k] * norm[l])
		}
	}
	v := nonnegative(products, a)
	for k := range v {
		v[k] /= norm[k]
	}
	return v
}

// centre returns C·K·C.
func centre(k blas64.General) []float64 {
	n := k.Rows
	means, all := make([]float64, n), 0.0
	for i := range n {
		means[i] = floats.Sum(k.Data[i*k.Stride:i*k.Stride+n]) / float64(n)
		all += means[i] / float64(n)
	}
	c := make([]float64, n*n)
	for i := range n {
		for j := range n {
			c[i*n+j] = k.Data[i*k.Stride+j] - means[i] - means[j] + all
		}
	}
	return c
}

// nonnegative minimises vᵀMv − 2vᵀa over v ≥ 0 by coordinate descent. It stops when a pass changes
// no coordinate significantly, or after 20000 passes. The limit is harmless: slow convergence
// means nearly equal kernels, and their individual weights do not matter.
func nonnegative(m blas64.General, a []float64) []float64 {
	v := make([]float64, len(a))
	for range 20000 {
		worst := 0.0
		for k := range v {
			row := blas64.Vector{N: m.Cols, Inc: 1, Data: m.Data[k*m.Stride:]}
			slope := a[k] - blas64.Dot(row, blas64.Vector{N: len(v), Inc: 1, Data: v})
			next := max(0, v[k]+slope/m.Data[k*m.Stride+k])
			worst = max(worst, math.Abs(next-v[k]))
			v[k] = next
		}
		if worst <= 1e-7*floats.Max(v) {
			break
		}
	}
	return v
}

// combine sets dst = Σ weights_k·K_k.
func (g *grid) combine(dst blas64.General, weights []float64) {
	clear(dst.Data)
	for k, m := range g.grams {
		if weights[k] > 0 {
			floats.AddScaled(dst.Data, weights[k], m.Data)
		}
	}
}

// norms sets dst_k = weights_k²·βᵀK_kβ, the squared norm of the component of f in kernel k.
func (g *grid) norms(dst, weights, beta []float64) {
	v := blas64.Vector{N: len(beta), Inc: 1, Data: beta}
	t := blas64.Vector{N: len(beta), Inc: 1, Data: make([]float64, len(beta))}
	for k, m := range g.grams {
		dst[k] = 0
		if weights[k] > 0 {
			blas64.Gemv(blas.NoTrans, 1, m, v, 0, t)
			dst[k] = weights[k] * weights[k] * max(0, blas64.Dot(v, t))
		}
	}
}
