package alignmentpaper

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// risk is the method CR. It minimises
//
//	min_f Σ_i (y_i − f(x_i))² + mu·‖f‖² = mu·yᵀ(K + mu·I)⁻¹y
//
// over the kernels K in the convex hull of a family. Each greedy step computes c = (K + mu·I)⁻¹y,
// finds the member of the family with the largest cᵀK_σc, and adds it with the optimal share.
// Source: Argyriou, Micchelli and Pontil, "Learning convex combinations of continuously
// parameterized basic kernels", COLT 2005.
func risk(ctx context.Context, t task, d split) (outcome, error) {
	fewest, best := math.Inf(1), outcome{}
	for _, mu := range []float64{1e-2, 1e-1, 1, 10} {
		r := newRisk(t, d, mu)
		if err := r.descend(ctx); err != nil {
			return outcome{}, err
		}
		_, check, test := d.rows()
		if p := percentWrong(r.predict(check), d.check.Y); p < fewest {
			fewest, best = p, outcome{r.sum, percentWrong(r.predict(test), d.test.Y)}
		}
	}
	return best, nil
}

type riskProblem struct {
	family    family
	x         blas64.General
	y         []float64
	mu        float64
	distances blas64.General // squared
	k         blas64.General // the mixture
	sum       kernel.Sum
	c         []float64
}

func newRisk(t task, d split, mu float64) *riskProblem {
	x, _, _ := d.rows()
	r := &riskProblem{x: x, y: d.train.Y, mu: mu, distances: compute.NewMatrix(x.Rows, x.Rows), k: compute.NewMatrix(x.Rows, x.Rows)}
	r.family = t.family(x)
	compute.KernelSym(r.distances, x, compute.Func{Family: compute.SquaredDistance}, 0)
	return r
}

func (r *riskProblem) descend(ctx context.Context) error {
	const rounds = 25
	r.c = r.y
	for range rounds {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		sigma, gain := r.family.search(r.gain)
		if len(r.sum) > 0 && gain <= quadratic(r.k, r.c)*(1+1e-3) {
			break
		}
		if err := r.mix(sigma); err != nil {
			return err
		}
	}
	return nil
}

// gain returns cᵀK_σc. Up to a constant it is the decrease of the risk per share of the kernel.
func (r *riskProblem) gain(sigma float64) float64 {
	if r.family.quadratic != nil {
		return r.family.quadratic(sigma, r.x, r.c)
	}
	return quadratic(r.gram(sigma), r.c)
}

// gram returns the Gram matrix of a member of the family.
func (r *riskProblem) gram(sigma float64) blas64.General {
	g := compute.NewMatrix(r.x.Rows, r.x.Rows)
	k := r.family.member(sigma)
	if radial, ok := k.(kernel.Radial); ok {
		copy(g.Data, r.distances.Data)
		radial.OfSquaredDistance(g.Data)
		return g
	}
	gram.Evaluator{Kernel: k}.Gram(g, r.x)
	return g
}

// mix adds a kernel with the share s that minimises the risk. The risk is convex in K, so its
// derivative in s, mu·(cᵀKc − cᵀK_σc), is increasing, and bisection finds the root.
func (r *riskProblem) mix(sigma float64) error {
	g := r.gram(sigma)
	mixed := compute.NewMatrix(g.Rows, g.Cols)
	low, high := 0.0, 1.0
	share := 1.0
	for step := range 9 {
		copy(mixed.Data, g.Data)
		floats.Scale(share, mixed.Data)
		floats.AddScaled(mixed.Data, 1-share, r.k.Data)
		c, err := r.solve(mixed)
		if err != nil {
			return err
		}
		r.c = c
		if len(r.sum) == 0 || step == 8 {
			break
		}
		if quadratic(r.k, c) < quadratic(g, c) {
			low = share
		} else {
			high = share
		}
		if low == 1 {
			break
		}
		share = (low + high) / 2
	}
	r.k = mixed
	for i, k := range r.sum {
		k := k.(kernel.Scale)
		r.sum[i] = kernel.Scale{By: k.By * (1 - share), Of: k.Of}
	}
	r.sum = append(r.sum, kernel.Scale{By: share, Of: r.family.member(sigma)})
	return nil
}

// solve returns (K + mu·I)⁻¹y.
func (r *riskProblem) solve(k blas64.General) ([]float64, error) {
	n := k.Rows
	a := blas64.General{Rows: n, Cols: n, Stride: n, Data: slices.Clone(k.Data)}
	for i := range n {
		a.Data[i*n+i] += r.mu
	}
	if !compute.Cholesky(a, 0) {
		return nil, errors.New("CR: K + mu·I is not positive definite")
	}
	c := blas64.General{Rows: n, Cols: 1, Stride: 1, Data: slices.Clone(r.y)}
	compute.SolveUpper(a, c, true, 0)
	compute.SolveUpper(a, c, false, 0)
	return c.Data, nil
}

func (r *riskProblem) predict(x blas64.General) []float64 {
	f := compute.NewMatrix(x.Rows, 1)
	c := blas64.General{Rows: len(r.c), Cols: 1, Stride: 1, Data: r.c}
	gram.Evaluator{Kernel: r.sum}.Mul(f, x, r.x, c)
	return f.Data
}

// quadratic returns cᵀKc.
func quadratic(k blas64.General, c []float64) float64 {
	sum := 0.0
	v := blas64.Vector{N: len(c), Inc: 1, Data: c}
	for i, w := range c {
		sum += w * blas64.Dot(v, blas64.Vector{N: len(c), Inc: 1, Data: k.Data[i*k.Stride:]})
	}
	return sum
}
