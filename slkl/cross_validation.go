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
	// The noise search multiplies firstNoise, in units of k(x_m, x_m), by factors of noiseStep.
	firstNoise         = 0.01
	noiseStep          = 3.1622776601683795
	minNoise, maxNoise = 1e-12, 1e6
)

// crossValidation selects the noise and lam·nu of each problem by K-fold cross-validation. It trains on
// the merged moments of the other folds and scores on the moments of the fold, so it reads no row again.
type crossValidation struct {
	fit   *fit
	folds []*fold
	numax []float64 // of each problem
}

// fold is a held-out fold and the problems of all other rows.
type fold struct {
	train, test *moments
	ratio       float64     // of the weight of train to the weight of all rows
	sums        *lasso.Sums // of train
	problems    []*lasso.Problem
	ridge       *lasso.Ridge
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

// parts returns the number of separate moments in a fit of n rows: one for each scored fold, and one
// for all remaining rows.
func (s *settings) parts(n int) int {
	folds := s.folds()
	if n < folds {
		return folds
	}
	return min(folds, 2+(enoughRows-1)/(n/folds))
}

// folds returns folds with enough rows in total, or nil if fewer than two folds have rows.
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

// fold returns the fold with the moments of part k.
func (f *fit) fold(k int) *fold {
	var train *moments
	if f.overwrite && len(f.parts) == 2 && f.parts[0].rows >= enoughRows {
		train = f.parts[1] // no fold of it is scored
	} else {
		train = newMoments(len(f.total.meanC), len(f.total.meanY))
		for j, p := range f.parts {
			if j != k {
				train.merge(p)
			}
		}
	}
	if f.denseFirst() {
		return f.newFold(train, f.parts[k], cvIterations)
	}
	return f.newFold(train, f.parts[k], 0)
}

// newFold overwrites train. iterations is the default of Iterations, or 0.
func (f *fit) newFold(train, test *moments, iterations int) *fold {
	d := &fold{train: train, test: test, ratio: train.n / f.total.n, sums: train.sums(!f.settings.NoIntercept)}
	d.problems = f.settings.problems(d.sums, iterations)
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

// noise returns the noise with the lowest error of ridge regression on the landmarks. It descends from
// the given noise while the error falls by the fraction cvGain, or else ascends.
func (c *crossValidation) noise(from float64) float64 {
	best, lowest := from, c.ridgeError(from)
	for _, step := range []float64{1 / noiseStep, noiseStep} {
		for next := best * step; next >= minNoise && next <= maxNoise; next = best * step {
			e := c.ridgeError(next)
			if !(e < lowest*(1-cvGain)) {
				break
			}
			best, lowest = next, e
		}
		if best != from {
			break
		}
	}
	return best
}

// ridgeError returns the error over all folds and outputs, relative to the variance of the targets. It
// is +Inf if a system is singular or the fit was stopped.
func (c *crossValidation) ridgeError(noise float64) float64 {
	total := 0.0
	for _, d := range c.folds {
		if c.fit.monitor.Stopped() {
			return math.Inf(1)
		}
		errors, ok := c.ridge(d, noise)
		if !ok {
			return math.Inf(1)
		}
		for i, p := range d.problems {
			yy := 0.0 // over all rows
			for o := range p.W.Cols {
				yy += c.fit.total.yy[p.Output+o]
			}
			if yy > 0 {
				total += errors[i] / yy
			}
		}
	}
	c.fit.monitor.Report(rkhs.Progress{Phase: "noise", ModelOrder: c.fit.columns.count(),
		Objective: math.NaN(), Gap: math.NaN()})
	return total
}

// ridge sets the problems of a fold to ridge regression and returns the errors on the fold.
func (c *crossValidation) ridge(d *fold, noise float64) (errors []float64, ok bool) {
	s := c.fit.settings
	d.ridge, ok = d.sums.Ridge(d.ridge, c.fit.gram, noise, s.Workers)
	if !ok {
		return nil, false
	}
	errors = make([]float64, len(d.problems))
	compute.Parallel(len(d.problems), s.Workers, func(i int) {
		p := d.problems[i]
		p.Start(p.Outputs(d.ridge.W), 1)
		errors[i] = d.score(p)
	})
	return errors, true
}

// ridges starts the penalty search at ridge regression and adds the norm to the problems of all folds.
// For each problem it returns the lam·nu that removes half of the columns, the error of ridge
// regression, and the error of the constant. They are nil without a norm or folds.
func (c *crossValidation) ridges() (onset, lowest, base []float64) {
	f := c.fit
	if f.noise == 0 || len(c.folds) == 0 {
		return nil, nil, nil
	}
	n := len(f.problems)
	onset, lowest, base = make([]float64, n), make([]float64, n), make([]float64, n)
	for i, d := range c.folds {
		if f.monitor.Stopped() {
			return nil, nil, nil
		}
		for j, p := range d.problems {
			clear(p.Mu)
			compute.Zero(p.W)
			base[j] += d.score(p)
		}
		errors, ok := c.ridge(d, f.noise)
		if !ok {
			return nil, nil, nil
		}
		d.ridge.Fall(f.problems)
		d.sums.AddNorm(f.gram, f.noise)
		for j, p := range d.problems {
			lowest[j] += errors[j]
			if i == 0 {
				onset[j] = d.ridge.Onset(p) / d.share(1)
			}
			d.ridge.Start(p, d.share(onset[j]))
		}
		d.ridge = nil
	}
	return onset, lowest, base
}

// penalties returns lam·nu of each problem, 0 for ridge regression, and whether the search ended at
// an edge. With a norm, more than maxSearches problems get ridge regression: few columns would be
// inactive for all outputs.
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

// foldTrial is a trial of a search on one fold.
type foldTrial struct {
	*fold
	index int // of the problem
	error float64
	order int
}

// run runs all searches in parallel.
func (c *crossValidation) run(searches []penaltySearch) {
	f := c.fit
	quiet := f.monitor.Quiet()
	for step := 1; !f.monitor.Stopped(); step++ {
		var open []*foldTrial
		for _, d := range c.folds {
			for i, numax := range c.numax {
				if numax > 0 && c.search(i) == i && !searches[i].over() {
					open = append(open, &foldTrial{fold: d, index: i})
				}
			}
		}
		if len(open) == 0 {
			break
		}
		compute.Parallel(len(open), f.settings.Workers, func(i int) {
			t := open[i]
			p := t.problems[t.index]
			nu := t.share(searches[t.index].fraction() * c.numax[t.index])
			r := p.Solve(nu, cvTolerance, quiet)
			t.error, t.order = t.score(p), r.ModelOrder
		})
		if !f.monitor.Stopped() {
			c.collect(searches, open, step)
		}
	}
}

// collect adds the errors over all folds to the searches.
func (c *crossValidation) collect(searches []penaltySearch, trials []*foldTrial, step int) {
	sum, order := map[int]float64{}, map[int]int{}
	largest := 0
	for _, t := range trials {
		sum[t.index] += t.error
		order[t.index] = max(order[t.index], t.order)
		largest = max(largest, t.order)
	}
	for i, e := range sum {
		searches[i].add(e, float64(order[i])/float64(c.fit.columns.count()))
	}
	c.fit.monitor.Report(rkhs.Progress{Phase: "penalty", Done: step, Iteration: step, ModelOrder: largest,
		Objective: math.NaN(), Gap: math.NaN()})
}

// share converts lam·nu for all n rows to the n_k training rows: nu·(n_k/n)², as the objective is a sum
// over rows.
func (d *fold) share(nu float64) float64 { return nu * d.ratio * d.ratio }

// score returns the squared error of p on the rows of the fold,
//
//	Σ (y − ȳ − (c − c̄)ᵀw)² + n·(ȳ − c̄ᵀw − intercept)²  with the means of the fold.
func (d *fold) score(p *lasso.Problem) float64 {
	total := 0.0
	for o := range p.W.Cols {
		out := p.Output + o
		var cross, quad float64
		shift := d.test.meanY[out] - d.train.meanY[out]
		for m := range p.Mu {
			w := compute.Row(p.W, m)[o]
			if w == 0 {
				continue
			}
			cross += w * compute.Row(d.test.cy, m)[out]
			shift -= w * (d.test.meanC[m] - d.train.meanC[m])
			// cc is symmetric: the upper triangle counts twice.
			cc, below := d.test.row(m), compute.Column(compute.Rows(p.W, m, p.W.Rows), o)
			quad += w * (2*blas64.Dot(compute.Vector(cc), below) - cc[0]*w)
		}
		total += d.test.yy[out] - 2*cross + quad + d.test.n*shift*shift
	}
	return total
}
