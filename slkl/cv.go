package slkl

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

const (
	// cvTolerance is the relative duality gap of the solutions that are only
	// compared with each other.
	cvTolerance = 1e-5
	// patience is the number of values of nu in a row that must not lower the
	// error by the fraction cvGain before the search for nu ends, for more than
	// wholeGrid columns: for fewer the whole grid is cheap, and the error can have
	// several minima.
	patience  = 3
	cvGain    = 1e-3
	wholeGrid = 300
)

// chooseNu returns for each task the lam·nu of the least squared error under K-fold
// cross-validation. The folds hold their own moments, so that no row is read
// again: the merged moments of the others train, those of the fold score.
func (f *fit) chooseNu() []float64 {
	search := make([]*nuSearch, len(f.tasks))
	for i, t := range f.tasks {
		search[i] = &nuSearch{max: t.nuMax(), best: math.Inf(1), nu: t.nuMax() * fallbackNu}
	}
	folds := f.foldTasks()
	if folds == nil {
		return bests(search)
	}
	quiet := f.r.Quiet()
	for step, fraction := range f.s.NuGrid {
		var jobs []*foldTask
		for _, ft := range folds {
			if !search[ft.index].over {
				jobs = append(jobs, ft)
			}
		}
		if len(jobs) == 0 || f.r.Stopped() {
			break
		}
		compute.Parallel(len(jobs), f.s.Workers, func(i int) {
			t := jobs[i]
			rep := t.solve(t.share(fraction*search[t.index].max, f.total.n), cvTolerance, quiet)
			t.error, t.order = t.score(f.s.NoIntercept), rep.ModelOrder
		})
		f.collect(search, jobs, fraction)
		f.r.Report(rkhs.Progress{Iteration: step + 1, ModelOrder: largestOrder(jobs), Objective: math.NaN(), Gap: math.NaN()})
	}
	return bests(search)
}

// fallbackNu is the fraction of the largest nu that is used where there are too
// few rows to cross-validate.
const fallbackNu = 1e-6

// nuSearch is the state of the search for the nu of one task.
type nuSearch struct {
	max, nu, best float64
	since         int
	over          bool
}

// foldTask is a task on the rows outside one fold.
type foldTask struct {
	*task
	index       int
	train, test *moments
	error       float64
	order       int
}

// share turns a nu of all n rows into that of the n_k training rows. The
// objective sums over rows, so that it is nu·(n_k/n)².
func (t *foldTask) share(nu float64, n int) float64 {
	ratio := float64(t.train.n) / float64(n)
	return nu * ratio * ratio
}

// foldTasks returns the tasks of all folds, or nil if fewer than two folds have
// rows. The tasks of a fold stand together.
func (f *fit) foldTasks() []*foldTask {
	var list []*foldTask
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
		for i, t := range train.problem(!f.s.NoIntercept).tasks(f.s) {
			list = append(list, &foldTask{task: t, index: i, train: train, test: test})
		}
		train.cc = compute.Matrix{} // the problem has its own copy
	}
	if used < 2 {
		return nil
	}
	return list
}

// score returns the squared error on the rows of the fold,
//
//	Σ (y − ȳ − (c − c̄)ᵀw)² + n·(ȳ − c̄ᵀw − intercept)²  with the fold's means.
func (t *foldTask) score(noIntercept bool) float64 {
	total := 0.0
	for o := range t.w.Cols {
		out := t.output + o
		var cross, quad, shift float64
		if noIntercept {
			shift = t.test.meanY[out]
		} else {
			shift = t.test.meanY[out] - t.train.meanY[out]
		}
		for m := range t.mu {
			w := t.w.Data[m*t.w.Stride+o]
			if w == 0 {
				continue
			}
			cross += w * t.test.cy.Data[m*t.test.cy.Stride+out]
			if noIntercept {
				shift -= w * t.test.meanC[m]
			} else {
				shift -= w * (t.test.meanC[m] - t.train.meanC[m])
			}
			quad += w * t.half(m, o)
		}
		total += t.test.yy[out] - 2*cross + quad + float64(t.test.n)*shift*shift
	}
	return total
}

// half returns the part of (cc·w)_m that the upper triangle gives, twice its
// off-diagonal: the sum of w_m times it over m is wᵀ·cc·w.
func (t *foldTask) half(m, o int) float64 {
	w := blas64.Vector{N: len(t.mu) - m, Inc: t.w.Stride, Data: t.w.Data[m*t.w.Stride+o:]}
	r := row(t.test.cc, m)[m:]
	return 2*blas64.Dot(vector(r), w) - r[0]*w.Data[0]
}

// collect adds up the errors of the folds and moves each search on.
func (f *fit) collect(search []*nuSearch, jobs []*foldTask, fraction float64) {
	sum := map[int]float64{}
	for _, t := range jobs {
		sum[t.index] += t.error
	}
	for i, s := range search {
		e, ok := sum[i]
		if !ok {
			continue
		}
		s.since++
		if e < s.best*(1-cvGain) {
			s.since = 0
		}
		if e < s.best {
			s.best, s.nu = e, fraction*s.max
		}
		s.over = s.since >= f.s.patience(f.cols.count()) || s.max == 0
	}
}

// patience is how long the search goes on without a gain: to the end of a grid
// that was given.
func (s *settings) patience(columns int) int {
	if columns <= wholeGrid || !slices.Equal(s.NuGrid, defaultGrid()) {
		return len(s.NuGrid)
	}
	return patience
}

func bests(search []*nuSearch) []float64 {
	nu := make([]float64, len(search))
	for i, s := range search {
		nu[i] = s.nu
	}
	return nu
}

func largestOrder(jobs []*foldTask) int {
	order := 0
	for _, t := range jobs {
		order = max(order, t.order)
	}
	return order
}
