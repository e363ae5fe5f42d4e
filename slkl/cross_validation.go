package slkl

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/slkl/internal/lasso"
)

const (
	// cvTolerance is the relative duality gap of the solutions that are only
	// compared with each other.
	cvTolerance = 1e-5
	// patience is the number of penalties in a row that must not lower the error
	// by the fraction cvGain before the search ends, for more than fullGrid
	// columns: for fewer the full grid is cheap, and the error can have several
	// minima.
	patience = 3
	cvGain   = 1e-3
	fullGrid = 300
	// fallback is the fraction of the largest penalty that is used where there are
	// too few rows to cross-validate.
	fallback = 1e-6
)

// crossValidation chooses for each problem the lam·nu of the least squared error
// under K-fold cross-validation. The folds hold their own moments, so that no row
// is read again: the merged moments of the others train, those of the fold score.
type crossValidation struct {
	fit    *fit
	folds  []*foldProblem          // of all folds, those of a fold together
	search []*choose.EarlyStopping // of each problem
	numax  []float64               // of each problem
}

// foldProblem is a problem on the rows outside one fold.
type foldProblem struct {
	*lasso.Problem
	index       int // of the problem
	train, test *moments
	error       float64
	order       int
}

func newCrossValidation(f *fit) *crossValidation {
	c := &crossValidation{fit: f, folds: foldProblems(f)}
	wait := len(f.settings.PenaltyGrid)
	if f.columns.count() > fullGrid && slices.Equal(f.settings.PenaltyGrid, defaultGrid()) {
		wait = patience
	}
	for _, p := range f.problems {
		largest := p.NuMax()
		c.numax = append(c.numax, largest)
		c.search = append(c.search, choose.NewEarlyStopping(largest*fallback, wait, cvGain))
	}
	return c
}

// foldProblems returns the problems of all folds, or nil if fewer than two folds
// have rows.
func foldProblems(f *fit) []*foldProblem {
	var list []*foldProblem
	used := 0
	for k, test := range f.parts {
		if test.n == 0 || test.n == f.total.n {
			continue
		}
		used++
		train := newMoments(len(f.total.meanC), len(f.total.meanY))
		for j, p := range f.parts {
			if j != k {
				train.merge(p)
			}
		}
		for i, p := range problems(train.sums(!f.settings.NoIntercept), f.settings) {
			list = append(list, &foldProblem{Problem: p, index: i, train: train, test: test})
		}
		train.cc = compute.Matrix{} // the problems have their own copy
	}
	if used < 2 {
		return nil
	}
	return list
}

// choose returns the lam·nu of each problem.
func (c *crossValidation) choose() []float64 {
	f := c.fit
	quiet := f.monitor.Quiet()
	for step, fraction := range f.settings.PenaltyGrid {
		open := c.open()
		if len(open) == 0 || f.monitor.Stopped() {
			break
		}
		compute.Parallel(len(open), f.settings.Workers, func(i int) {
			p := open[i]
			r := p.Solve(p.share(fraction*c.numax[p.index], f.total.n), cvTolerance, quiet)
			p.error, p.order = p.score(f.settings.NoIntercept), r.ModelOrder
		})
		c.collect(open, fraction)
		largest := slices.MaxFunc(open, func(p, q *foldProblem) int { return p.order - q.order })
		f.monitor.Report(rkhs.Progress{Phase: "search", Done: step + 1, Total: len(f.settings.PenaltyGrid), Iteration: step + 1, ModelOrder: largest.order, Objective: math.NaN(), Gap: math.NaN()})
	}
	best := make([]float64, len(c.search))
	for i, s := range c.search {
		best[i] = s.Best()
	}
	return best
}

// open returns the problems of folds whose search goes on. There is none where no
// penalty is small enough.
func (c *crossValidation) open() []*foldProblem {
	var list []*foldProblem
	for _, p := range c.folds {
		if c.numax[p.index] > 0 && !c.search[p.index].Over() {
			list = append(list, p)
		}
	}
	return list
}

// collect adds up the errors of the folds and moves each search on.
func (c *crossValidation) collect(solved []*foldProblem, fraction float64) {
	sum := map[int]float64{}
	for _, p := range solved {
		sum[p.index] += p.error
	}
	for i, e := range sum {
		c.search[i].Add(fraction*c.numax[i], e)
	}
}

// share turns a penalty of all n rows into that of the n_k training rows. The
// objective sums over rows, so that it is nu·(n_k/n)².
func (p *foldProblem) share(nu float64, n int) float64 {
	ratio := float64(p.train.n) / float64(n)
	return nu * ratio * ratio
}

// score returns the squared error on the rows of the fold,
//
//	Σ (y − ȳ − (c − c̄)ᵀw)² + n·(ȳ − c̄ᵀw − intercept)²  with the fold's means.
func (p *foldProblem) score(noIntercept bool) float64 {
	total := 0.0
	for o := range p.W.Cols {
		out := p.Output + o
		var cross, quad, shift float64
		if noIntercept {
			shift = p.test.meanY[out]
		} else {
			shift = p.test.meanY[out] - p.train.meanY[out]
		}
		for m := range p.Mu {
			w := compute.Row(p.W, m)[o]
			if w == 0 {
				continue
			}
			cross += w * compute.Row(p.test.cy, m)[out]
			if noIntercept {
				shift -= w * p.test.meanC[m]
			} else {
				shift -= w * (p.test.meanC[m] - p.train.meanC[m])
			}
			quad += w * p.half(m, o)
		}
		total += p.test.yy[out] - 2*cross + quad + float64(p.test.n)*shift*shift
	}
	return total
}

// half returns the part of (cc·w)_m that the upper triangle gives, twice its
// off-diagonal: the sum of w_m times it over m is wᵀ·cc·w.
func (p *foldProblem) half(m, o int) float64 {
	w := compute.Column(compute.Rows(p.W, m, p.W.Rows), o)
	r := compute.Row(p.test.cc, m)[m:]
	return 2*blas64.Dot(compute.Vector(r), w) - r[0]*w.Data[0]
}
