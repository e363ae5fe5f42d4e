package slkl

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/slkl/internal/lasso"
)

const (
	// cvTolerance is the relative duality gap of solutions in the cross-validation.
	cvTolerance = 1e-5
	// cvIterations bounds the steps of solutions that start near the optimum.
	cvIterations = 40
	// enoughRows is the number of held-out rows that suffice to compare penalties.
	enoughRows = 1000
	// fullGrid is the number of columns up to which a search tries the whole grid.
	fullGrid = 300
	// maxSearches is the number of problems up to which each has its own search.
	maxSearches = 4
	// fallback is the fraction of PenaltyMax without cross-validation, for few rows.
	fallback = 1e-6
)

// crossValidation selects the noise and lam·nu of each problem by K-fold cross-validation. Each fold
// has its own moments, so no row is read again: the merged moments of the other folds train, and those
// of the fold score.
type crossValidation struct {
	fit   *fit
	folds []*fold
	numax []float64 // of each problem
}

// fold is a held-out fold and the problems on the other rows.
type fold struct {
	train, test *moments
	sums        *lasso.Sums // of train
	problems    []*foldProblem
	ridge       *lasso.Ridge
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
	for _, p := range f.problems {
		c.numax = append(c.numax, p.NuMax())
	}
	if !f.monitor.Stopped() {
		c.folds = f.folds(enoughRows)
		f.parts = nil
	}
	return c
}

// parts returns the number of moments that a fit of n rows keeps apart: one for each fold that is
// scored and one for all others.
func (s *settings) parts(n int) int {
	folds := s.folds()
	if n < folds {
		return folds
	}
	return min(folds, 2+(enoughRows-1)/(n/folds))
}

// folds returns folds with enough rows together, or nil if fewer than two folds have any.
func (f *fit) folds(enough int) (list []*fold) {
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
	if f.once && len(f.parts) == 2 && f.parts[0].rows >= enoughRows {
		d.train = f.parts[1] // no fold of it is scored
	} else {
		d.train = newMoments(len(f.total.meanC), len(f.total.meanY))
		for j, p := range f.parts {
			if j != k {
				d.train.merge(p)
			}
		}
	}
	d.sums = d.train.intoSums(!f.settings.NoIntercept)
	iterations := 0
	if f.denseFirst() {
		iterations = cvIterations
	}
	for i, p := range f.settings.problems(d.sums, iterations) {
		d.problems = append(d.problems, &foldProblem{Problem: p, fold: d, index: i})
	}
	return d
}

// starts returns the weights of each problem with its own search in the first fold, if the search
// started at ridge regression.
func (c *crossValidation) starts() []compute.Matrix {
	list := make([]compute.Matrix, len(c.numax))
	if c.fit.denseFirst() && len(c.folds) > 0 {
		for i, p := range c.folds[0].problems {
			if c.search(i) == i {
				list[i] = p.W
			}
		}
	}
	return list
}

// penalties returns lam·nu of each problem, 0 for ridge regression, and whether the search ended at
// an edge. With a norm, more than maxSearches problems get ridge regression: hardly a column is
// inactive for all of many outputs.
func (c *crossValidation) penalties() (best []float64, edge []bool) {
	best, edge = make([]float64, len(c.numax)), make([]bool, len(c.numax))
	if c.fit.denseFirst() && len(c.numax) > maxSearches {
		return best, edge
	}
	searches := make([]penaltySearch, len(c.numax))
	onset, lowest, base := c.ridges()
	for i := range searches {
		if c.fit.denseFirst() && onset != nil && c.numax[i] > 0 {
			searches[i] = newDenseFirst(onset[i]/c.numax[i], lowest[i], base[i])
		} else {
			searches[i] = newSparseFirst(c.fit.settings.PenaltyGrid, c.patience())
		}
	}
	c.run(searches)
	for i := range searches {
		fraction, atEdge := searches[c.search(i)].selected()
		best[i], edge[i] = fraction*c.numax[i], atEdge
	}
	return best, edge
}

// search returns the index of the search for problem i: its own or, for many problems, one of the
// first maxSearches.
func (c *crossValidation) search(i int) int {
	if len(c.numax) <= maxSearches {
		return i
	}
	return i % maxSearches
}

// patience returns the number of consecutive penalties without progress after which a search down
// the grid ends. With few columns it tries the whole grid, as the error can have several minima.
func (c *crossValidation) patience() int {
	if c.fit.columns.count() > fullGrid && !c.fit.settings.gridGiven {
		return 3
	}
	return len(c.fit.settings.PenaltyGrid)
}

// run runs all searches together.
func (c *crossValidation) run(searches []penaltySearch) {
	f := c.fit
	quiet := f.monitor.Quiet()
	for step := 1; !f.monitor.Stopped(); step++ {
		var open []*foldProblem
		for _, d := range c.folds {
			for _, p := range d.problems {
				if c.numax[p.index] > 0 && c.search(p.index) == p.index && !searches[p.index].over() {
					open = append(open, p)
				}
			}
		}
		if len(open) == 0 {
			break
		}
		compute.Parallel(len(open), f.settings.Workers, func(i int) {
			p := open[i]
			nu := p.share(searches[p.index].fraction()*c.numax[p.index], f.total.n)
			r := p.Solve(nu, cvTolerance, quiet)
			p.error, p.order = p.score(f.settings.NoIntercept), r.ModelOrder
		})
		if !f.monitor.Stopped() {
			c.collect(searches, open, step)
		}
	}
}

// collect adds the errors of the solved folds to the searches.
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
	c.fit.monitor.Report(rkhs.Progress{Phase: "penalty", Done: step, Iteration: step, ModelOrder: largest,
		Objective: math.NaN(), Gap: math.NaN()})
}

// share converts lam·nu for n rows to the n_k training rows, by weight: nu·(n_k/n)², as the objective
// is a sum over rows.
func (d *fold) share(nu, n float64) float64 {
	ratio := d.train.n / n
	return nu * ratio * ratio
}

// score returns the squared error on the rows of the fold,
//
//	Σ (y − ȳ − (c − c̄)ᵀw)² + n·(ȳ − c̄ᵀw − intercept)²  with the means of the fold.
func (p *foldProblem) score(noIntercept bool) float64 {
	total := 0.0
	for o := range p.W.Cols {
		out := p.Output + o
		var cross, quad float64
		shift := p.test.meanY[out]
		if !noIntercept {
			shift -= p.train.meanY[out]
		}
		for m := range p.Mu {
			w := compute.Row(p.W, m)[o]
			if w == 0 {
				continue
			}
			cross += w * compute.Row(p.test.cy, m)[out]
			mean := p.test.meanC[m]
			if !noIntercept {
				mean -= p.train.meanC[m]
			}
			shift -= w * mean
			quad += w * p.half(m, o)
		}
		total += p.test.yy[out] - 2*cross + quad + p.test.n*shift*shift
	}
	return total
}

// half returns half of row m of the quadratic form wᵀ·cc·w, computed from the upper triangle: the sum
// of w_m times it over m is wᵀ·cc·w.
func (p *foldProblem) half(m, o int) float64 {
	w := compute.Column(compute.Rows(p.W, m, p.W.Rows), o)
	r := p.test.row(m)
	return 2*blas64.Dot(compute.Vector(r), w) - r[0]*w.Data[0]
}
