package slkl

import (
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// task is the problem of one output, or of all outputs when they share one mu,
//
//	min_mu F(mu) = tr Yᵀ(I + C·diag(mu)·Cᵀ)⁻¹Y + nu·Σ mu_m,  mu ≥ 0,
//
// for lam = 1, to which any lam reduces: by Proposition 3 of the paper the
// problem of (lam, nu) is that of (1, lam·nu) for mu/lam, with the same F and w,
// with its current solution, from which the next solve starts.
type task struct {
	s       *settings
	p       compute.Matrix        // M×M, CᵀC
	cy      compute.Matrix        // M×q, CᵀY
	yy      float64               // ‖Y‖²
	inverse func() compute.Matrix // P⁻¹, empty if P is singular, once for all tasks
	workers int
	output  int // the output, or 0 for all

	mu []float64
	w  compute.Matrix // M×q
}

// problem is the data of the optimisation problem, for all outputs.
type problem struct {
	p  compute.Matrix // M×M, CᵀC
	cy compute.Matrix // M×q, CᵀY
	yy []float64      // q, squared norms of the targets
}

// maxSum bounds the sums over the rows, so that the solvers can square and
// divide them.
const maxSum = 1e150

// check returns rkhs.ErrDiverged if the sums over the rows are beyond maxSum.
func (p *problem) check() error {
	return checkSums(p.p.Data, p.cy.Data, p.yy)
}

func checkSums(lists ...[]float64) error {
	for _, list := range lists {
		for _, v := range list {
			if !(math.Abs(v) <= maxSum) {
				return fmt.Errorf("slkl: a sum over the rows is %v; features or targets are too large: %w", v, rkhs.ErrDiverged)
			}
		}
	}
	return nil
}

// tasks splits a problem into its tasks.
func (p *problem) tasks(s *settings) []*task {
	q := len(p.yy)
	inverse := sync.OnceValue(func() compute.Matrix { return wholeInverse(p.p, s.Workers) })
	if s.Shared {
		yy := 0.0
		for _, v := range p.yy {
			yy += v
		}
		return []*task{p.task(s, 0, q, yy, inverse)}
	}
	var list []*task
	for o, yy := range p.yy {
		list = append(list, p.task(s, o, 1, yy, inverse))
	}
	return list
}

// task returns the problem of n outputs from the given one on.
func (p *problem) task(s *settings, output, n int, yy float64, inverse func() compute.Matrix) *task {
	m := p.p.Rows
	cy := compute.NewMatrix(m, n)
	for i := range m {
		copy(row(cy, i), row(p.cy, i)[output:output+n])
	}
	return &task{s: s, p: p.p, cy: cy, yy: yy, inverse: inverse, workers: 1, output: output,
		mu: make([]float64, m), w: compute.NewMatrix(m, n)}
}

// uncorrelated is the fraction of ‖c‖·‖Y‖ below which ‖cᵀY‖ is what rounding
// leaves of a sum that cancels.
const uncorrelated = 1e-13

// nuMax is the smallest nu whose solution is mu = 0: max_m ‖c_mᵀY‖².
func (t *task) nuMax() float64 {
	worst := 0.0
	for m := range t.mu {
		c := vector(row(t.cy, m))
		corr := blas64.Nrm2(c)
		if corr > uncorrelated*math.Sqrt(row(t.p, m)[m]*t.yy) {
			worst = max(worst, corr*corr)
		}
	}
	return worst
}

// certify returns the certificate of the weights at hand.
func (t *task) certify(tau float64) certificate {
	g := t.correlations()
	var bw, gw, norm, worst, kkt float64
	for m := range t.mu {
		w, gm := vector(row(t.w, m)), vector(row(g, m))
		size, corr := blas64.Nrm2(w), blas64.Nrm2(gm)
		bw += blas64.Dot(vector(row(t.cy, m)), w)
		gw += blas64.Dot(gm, w)
		norm += size
		worst = max(worst, corr)
		if size > 0 {
			blas64.Axpy(-tau/size, w, gm)
			kkt = max(kkt, blas64.Nrm2(gm))
		}
	}
	c := dualityGap(t.yy-bw-gw, t.yy-bw, norm, worst, tau)
	c.kkt = max(kkt, worst-tau) / tau
	return c
}

// correlations returns Cᵀ(Y − CW). O(M·m0·q).
func (t *task) correlations() compute.Matrix {
	g := compute.NewMatrix(t.cy.Rows, t.cy.Cols)
	copy(g.Data, t.cy.Data)
	for l := range t.mu {
		for o, v := range row(t.w, l) {
			if v != 0 {
				blas64.Axpy(-v, vector(row(t.p, l)), blas64.Vector{N: g.Rows, Inc: g.Stride, Data: g.Data[o:]})
			}
		}
	}
	return g
}
