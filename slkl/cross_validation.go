package slkl

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/slkl/internal/lasso"
)

const (
	// cvTolerance is the relative duality gap of the solutions that are only
	// compared with each other.
	cvTolerance = 1e-5
	// cvIterations bounds the steps of solutions that begin near their end: those that take
	// more are compared as they are.
	cvIterations = 40
	// enoughRows are enough to compare penalties by the error on them: as many folds
	// are scored as have them, or all.
	enoughRows = 1000
	// fullGrid is the number of columns up to which a search down the grid sees all of it.
	fullGrid = 300
	// fallback is the fraction of the largest penalty that is used where there are
	// too few rows to cross-validate.
	fallback = 1e-6
)

// crossValidation chooses the noise and the lam·nu of each problem by the squared error
// under K-fold cross-validation. The folds hold their own moments, so that no row
// is read again: the merged moments of the others train, those of the fold score.
type crossValidation struct {
	fit   *fit
	folds []*fold
	numax []float64 // of each problem
}

// fold is one of the folds, and the problems on the rows outside it.
type fold struct {
	train, test *moments
	sums        *lasso.Sums // of train
	problems    []*foldProblem
	ridge       *lasso.Ridge // at the noise chosen, with a norm
}

// foldProblem is a problem on the rows outside a fold.
type foldProblem struct {
	*lasso.Problem
	*fold
	index int // of the problem
	error float64
	order int
}

func newCrossValidation(f *fit) *crossValidation {
	c := &crossValidation{fit: f}
	for _, p := range f.problems { // of which P may then be lent
		c.numax = append(c.numax, p.NuMax())
	}
	if !f.monitor.Stopped() {
		c.folds = f.folds(enoughRows)
		f.parts = nil // those that score are with their folds
	}
	return c
}

// parts is the number of sums that a fit of n rows keeps apart: one for each fold that
// will be scored, and one of all others.
func (s *settings) parts(n int) int {
	folds := s.folds()
	if n < folds {
		return folds
	}
	return min(folds, 2+(enoughRows-1)/(n/folds))
}

// folds returns as many folds as have enough rows, or nil if fewer than two folds
// have any.
func (f *fit) folds(enough int) []*fold {
	var list []*fold
	used, rows := 0, 0
	for k, test := range f.parts {
		if test.rows == 0 || test.rows == f.total.rows {
			continue
		}
		if used++; rows < enough {
			rows += test.rows
			list = append(list, f.fold(k))
		}
	}
	if used < 2 {
		return nil
	}
	return list
}

func (f *fit) fold(k int) *fold {
	d := &fold{test: f.parts[k]}
	if f.once && len(f.parts) == 2 && f.parts[0].rows >= enoughRows { // the other part is not scored
		d.train = f.parts[1]
	} else {
		d.train = newMoments(len(f.total.meanC), len(f.total.meanY))
		for j, p := range f.parts {
			if j != k {
				d.train.merge(p)
			}
		}
	}
	d.sums = d.train.intoSums(!f.settings.NoIntercept)
	method := f.settings.method()
	if f.denseFirst() && method.Iterations == 0 {
		method.Iterations = cvIterations
	}
	for i, p := range d.sums.Problems(f.settings.Shared, method, f.settings.Workers) {
		d.problems = append(d.problems, &foldProblem{Problem: p, fold: d, index: i})
	}
	return d
}

// forget drops everything but the solutions of the folds.
func (c *crossValidation) forget() {
	for _, d := range c.folds {
		d.train, d.test, d.sums, d.ridge = nil, nil, nil, nil
		for _, p := range d.problems {
			p.Forget()
		}
	}
}

// penalties returns the lam·nu of each problem, 0 for ridge regression, and whether the
// search ended there for want of others. Of many outputs that choose their columns on their
// own hardly a column is chosen by none: with a norm these are left to ridge regression.
func (c *crossValidation) penalties() (best []float64, edge []bool) {
	if c.fit.denseFirst() && len(c.numax) > mostSearched {
		return make([]float64, len(c.numax)), make([]bool, len(c.numax))
	}
	searches := make([]penaltySearch, len(c.numax))
	onset, least, base := c.ridges()
	for i := range searches {
		if c.fit.denseFirst() && onset != nil && c.numax[i] > 0 {
			searches[i] = newDenseFirst(onset[i]/c.numax[i], least[i], base[i])
		} else {
			searches[i] = newSparseFirst(c.fit.settings.PenaltyGrid, c.patience())
		}
	}
	c.run(searches)
	fractions := make([]float64, len(searches))
	edge = make([]bool, len(searches))
	for i := range searches {
		fractions[i], edge[i] = searches[i].choice()
	}
	for i := range searches {
		if of := c.searched(i); of != i {
			fractions[i], edge[i] = fractions[of], edge[of]
		}
		best = append(best, fractions[i]*c.numax[i])
	}
	return best, edge
}

// mostSearched is the number of problems up to which each has a search of its own.
const mostSearched = 4

// searched returns the problem whose search tells the fraction of the i-th: itself or, of
// many, one of the first mostSearched.
func (c *crossValidation) searched(i int) int {
	if len(c.numax) <= mostSearched {
		return i
	}
	return i % mostSearched
}

// patience is the number of penalties in a row that must not lower the error before a
// search down the grid ends. For few columns the full grid is cheap, and the error can
// have several minima.
func (c *crossValidation) patience() int {
	if c.fit.columns.count() > fullGrid && !c.fit.settings.gridGiven {
		return 3
	}
	return len(c.fit.settings.PenaltyGrid)
}

// run moves the searches on, all of them together, until they are over.
func (c *crossValidation) run(searches []penaltySearch) {
	f := c.fit
	quiet := f.monitor.Quiet()
	for step := 1; !f.monitor.Stopped(); step++ {
		var open []*foldProblem
		for _, d := range c.folds {
			for _, p := range d.problems {
				if c.numax[p.index] > 0 && c.searched(p.index) == p.index && !searches[p.index].over() {
					open = append(open, p)
				}
			}
		}
		if len(open) == 0 {
			break
		}
		compute.Parallel(len(open), f.settings.Workers, func(i int) {
			p := open[i]
			r := p.Solve(p.share(searches[p.index].fraction()*c.numax[p.index], f.total.n), cvTolerance, quiet)
			p.error, p.order = p.score(f.settings.NoIntercept), r.ModelOrder
		})
		if !f.monitor.Stopped() {
			c.collect(searches, open, step)
		}
	}
}

// collect adds up the errors of the folds and moves each search on.
func (c *crossValidation) collect(searches []penaltySearch, solved []*foldProblem, step int) {
	sum, order := map[int]float64{}, map[int]int{}
	largest := 0
	for _, p := range solved {
		sum[p.index] += p.error
		order[p.index] = max(order[p.index], p.order)
		largest = max(largest, p.order)
	}
	for i, e := range sum {
		searches[i].add(e, float64(order[i])/float64(c.fit.columns.count()))
	}
	c.fit.monitor.Report(rkhs.Progress{Phase: "penalty", Done: step, Iteration: step, ModelOrder: largest, Objective: math.NaN(), Gap: math.NaN()})
}

// share turns a penalty of all n rows into that of the n_k training rows, weights counted.
// The objective sums over rows, so that it is nu·(n_k/n)².
func (d *fold) share(nu, n float64) float64 {
	ratio := d.train.n / n
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
		total += p.test.yy[out] - 2*cross + quad + p.test.n*shift*shift
	}
	return total
}

// half returns the part of (cc·w)_m that the upper triangle gives, twice its
// off-diagonal: the sum of w_m times it over m is wᵀ·cc·w.
func (p *foldProblem) half(m, o int) float64 {
	w := compute.Column(compute.Rows(p.W, m, p.W.Rows), o)
	r := p.test.row(m)
	return 2*blas64.Dot(compute.Vector(r), w) - r[0]*w.Data[0]
}
