package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// Options configure Tune. The zero value is the default.
type Options struct {
	Kernel  kernel.Kernel // fixed kernel; nil searches for one
	Weights []float64     // of the rows, with mean one; nil means equal weights
	Noise   float64       // fixed noise; 0 searches for one
	// Families are the families to compare, simplest first; empty means all.
	Families []Family
	// Metric selects the linear maps to learn; the zero value means all of them.
	Metric kernel.Metric
	// Rank bounds the rank of learned matrices. 0 means full rank, with no matrix for more
	// than 200 columns.
	Rank int
	// Linear requires a linear map of the rows: the search neither encodes codes nor warps
	// columns.
	Linear bool
	// Basis scores kernels as the basis represents them; nil means exact kernels.
	Basis Basis
	// Narrower also scores other bandwidths with Basis. The error of random features scales
	// with k(x, x), so they represent wide kernels badly.
	Narrower bool
	// Rescore also compares full metrics (if Metric allows), narrower kernels and other
	// noises on up to 4000 training and 3000 held-out rows if there are many more rows than
	// the search uses. It is for learners that can represent every kernel.
	Rescore bool
	// Spread adds a scale for sparse rows that multiplies each column by its deviation.
	Spread bool
	// Rows is the size of the largest sample; 0 means 2000.
	Rows int
	// Work bounds the floating-point operations of the search without Basis. Operations are
	// counted, so the result does not depend on the machine. Samples shrink to stay within
	// it. 0 means no bound except by Rows, about 5e10.
	Work float64
	// MemoryLimit bounds the bytes that the search uses at a time, without Basis. Samples
	// shrink to stay within it. 0 means no bound except by Rows.
	MemoryLimit int64
	Seed        uint64
	Workers     int // 0 means GOMAXPROCS
	// Stopped reports whether to end with the best result so far; nil means never. It is
	// called from several goroutines before each factorisation, at most some tenths of a
	// second apart.
	Stopped func() bool
	// Progress receives the work done and the maximum of the whole search; nil disables it.
	// Calls are sequential.
	Progress func(done, total float64)
}

// Tune searches for the column scale, family, bandwidth and ridge of kernel ridge
// regression with an unpenalised constant. It keeps the kernel or noise given in opts. The
// rows x must be finite, with at least one row. The targets are y, n×q. If labels is not
// nil, it has classes 0, 1, ..., the targets are one class against the rest, and Tune
// ignores y. Tune compares exact leave-one-out predictions by successive halving. If
// Options.Metric allows, it also learns a linear map of the rows and keeps it if it is
// significantly better on held-out rows. This needs about four times as long.
//
// For dense rows, one-hot encoding (kernel.OneHot) of columns with few distinct values is
// one more scale. Normal scores and signed logarithms of the columns (kernel.Warped) are two
// more, unless they are nearly linear functions of the columns. Tune selects these scales if
// they are better by two standard errors. Options.Linear and full metrics exclude them.
//
// For sparse rows the columns are unscaled or, with Options.Spread, multiplied by their
// deviations if that is significantly better. Tune learns no metric for sparse rows and
// excludes LaplacianByColumns, which would need dense rows.
//
// If the differences are not significant, Tune prefers columns of unit standard deviation,
// the simpler family and the larger ridge (after Breiman and others, "Classification and
// regression trees", 1984, section 3.4.3).
//
// The result does not depend on the number of workers. Memory: a square matrix of the
// largest sample and, for metrics, one of 1200 rows and eight of 1000 rows for each of two
// workers. With fewer than three rows, or if stopped before the first trial, the result is
// the Gaussian of the median distance.
func Tune(x compute.Points, y compute.Matrix, labels []int, opts Options) kernel.SearchResult {
	c, _ := TuneMetric(x, y, labels, opts)
	return c
}

// TuneMetric is Tune and also reports whether the kernel has a learned metric. Such a kernel
// is a kernel.Projected, or a kernel.ARD with column weights.
func TuneMetric(x compute.Points, y compute.Matrix, labels []int, opts Options) (c kernel.SearchResult, metric bool) {
	if x.Sparse != nil {
		opts.Metric, opts.Linear = kernel.NoMetric, true // there are no codes
	} else {
		opts.Spread = false
	}
	d, q := x.PerRow(), OutputsOf(y, labels)
	order := withoutCopies(x, y, labels, SampleOrder(x.Rows, opts.sizes(x.Rows, d, q).final, labels, opts.Seed))
	s := opts.sizes(len(order), d, q)
	p := newProblem(x, y, labels, order, &opts)
	t := newSearch(p, &opts, s)
	t.rescoring = newRescoring(t, x, y, labels, s.final, &opts)
	var st *rung
	if len(order) >= leastRows {
		st = t.run(s)
	}
	if st == nil {
		at := p.start(candidate{})
		none := kernel.Trial{Kernel: p.kernel(at), Noise: p.noise(at), Error: math.Inf(1)}
		return kernel.SearchResult{Trial: none, Exact: none, Stopped: t.counter.stopped()}, false
	}
	c, metric = t.choice(st, &opts)
	if c.Stopped = t.counter.stopped(); !c.Stopped {
		t.counter.reach(t.counter.total)
	}
	return c, metric
}

// choice returns the selection of the last rung, improved by a learned metric, the basis
// and the comparison on more rows where they apply.
func (t *search) choice(st *rung, o *Options) (c kernel.SearchResult, metric bool) {
	chosen := st.choose()
	c = kernel.SearchResult{Trial: st.report(chosen), Exact: st.report(st.best()), Curve: t.curve()}
	finalists := t.bestOfFamilies(chosen.candidate)
	if t.metrics != nil && st == t.final {
		if best := t.metrics.run(chosen.candidate); best != nil {
			st, metric, chosen = t.metrics.heldOut, true, best
			c.Trial = st.report(best)
			c.Exact = c.Trial
			finalists = slices.Insert(finalists, 0, finalist{best.candidate, min(finalists[0].score, best.score)})
		}
	}
	if best, trial := t.bestByBasis(st, finalists, o.Basis, o.Narrower); best != nil {
		chosen, c.Trial = best, trial
	}
	if e := t.rescoring; e != nil {
		o.Basis = nil // release the memory it refers to
		t.final.release()
		t.counter.reach(t.counter.total - e.work())
		at := e.improve(chosen.candidate)
		metric = t.problem.scales[at.scale].learned
		c.Kernel, c.Noise = t.problem.kernel(at), t.problem.noise(at)
	}
	return c, metric
}

// curve returns all trials, starting with the largest sample.
func (t *search) curve() (list []kernel.Trial) {
	for _, of := range slices.Compact([]*rung{t.final, t.fine, t.coarse}) {
		for _, r := range of.trials() {
			list = append(list, of.report(r))
		}
	}
	return list
}

// leastRows is the smallest number of rows for leave-one-out.
const leastRows = 3

// sizes returns the rows of the rungs, reduced until the work is within Options.Work.
func (o *Options) sizes(n, d, q int) sizes {
	s := sizesOf(o.within(min(n, cmp.Or(o.Rows, sampleRows)), d, q))
	for o.Work > 0 && s.total(d, o.Spread)+o.metricWork(s.final, d) > o.Work && s.final > leastRows {
		s = s.shrunk()
	}
	return s
}

// The selection rule, in standard errors. A preferred scale wins unless another scale is
// better by more than scaleErrors. For columns of sparse rows multiplied by their
// deviation, which are equally likely, the limit is spreadErrors. A simpler family, and
// then a larger noise, wins if it is worse by at most half a standard error.
const (
	scaleErrors  = 2
	spreadErrors = 1
	familyErrors = 0.5
	noiseErrors  = 0.5
)

// choose returns the trial selected by the rule.
func (s *rung) choose() *trial {
	best := s.preferred(s.best())
	for family := range best.family {
		r := s.first(best, familyErrors, func(r *trial) bool { return r.family == family && r.scale == best.scale })
		if r != nil {
			best = r
			break
		}
	}
	chosen := best
	for _, r := range s.trials() {
		if r.step(0, -r.noise) == best.step(0, -best.noise) && r.noise > chosen.noise && r.within(noiseErrors, best) {
			chosen = r
		}
	}
	return chosen
}

// preferred returns the trial of the first scale that is not significantly worse than the best.
// An extra scale must be significantly better than all other scales.
func (s *rung) preferred(best *trial) *trial {
	if s.problem.extra(best.candidate) {
		errors := float64(scaleErrors)
		if s.problem.scales[best.scale].spread {
			errors = spreadErrors
		}
		others := s.bestWhere(func(r *trial) bool { return !s.problem.extra(r.candidate) })
		if others == nil || !others.within(errors, best) {
			return best
		}
		best = others
	}
	for scale := range best.scale {
		r := s.first(best, scaleErrors, func(r *trial) bool { return r.scale == scale && !s.problem.extra(r.candidate) })
		if r != nil {
			return r
		}
	}
	return best
}

// first returns the best trial that satisfies is, among the trials within the given number of
// standard errors of best, or nil.
func (s *rung) first(best *trial, errors float64, is func(r *trial) bool) *trial {
	for _, r := range s.trials() {
		if is(r) && r.within(errors, best) {
			return r
		}
	}
	return nil
}

// within reports whether the error exceeds the error of best by at most the given number of
// standard errors.
func (r *trial) within(errors float64, best *trial) bool {
	return r.loss != nil && r.error <= best.error+errors*standardError(r.loss, best.loss)
}

// report converts a trial for the search report.
func (s *rung) report(r *trial) kernel.Trial {
	t := kernel.Trial{
		Kernel: s.problem.kernel(r.candidate), Noise: s.problem.noise(r.candidate), Rows: s.n, Error: r.error, Wrong: r.wrong,
		StandardError: math.Inf(1), AtEdge: s.problem.edge(r.candidate),
	}
	if best := s.best(); r.loss != nil {
		t.StandardError = standardError(r.loss, best.loss)
	}
	return t
}
