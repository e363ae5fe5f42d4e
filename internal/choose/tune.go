package choose

import (
	"cmp"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// Options say how far Tune may search. The zero value is the default.
type Options struct {
	Kernel  kernel.Kernel // not to be chosen; nil means that it is
	Weights []float64     // of the rows, of mean one; nil means that each counts as one
	Noise   float64       // not to be chosen; 0 means that it is
	// Families are those to compare, the simplest first; empty means all.
	Families []Family
	// Metric says what map of the rows may be learned; the zero value is all of them.
	Metric kernel.Metric
	// Rank is that of matrices to learn, at most; 0 means that of the columns, and no matrix of
	// more than 200 columns.
	Rank int
	// Linear says that the map of the rows is linear: columns that may be codes of categories are
	// not encoded.
	Linear bool
	// Basis judges what a basis carries of a kernel; nil means that it carries all.
	Basis Basis
	// Narrower says that with Basis other bandwidths may do better than with the kernel. The
	// error of random features goes by k(x, x): of a wide kernel, whose functions are small
	// differences of large values, they carry little.
	Narrower bool
	// Enlarge says that full metrics learned from there, as far as Metric allows, narrower
	// kernels and other noises than that of the choice are compared with it on up to 4000 rows
	// and 3000 others, where there are many more rows than the search takes: for what carries
	// every kernel.
	Enlarge bool
	// Spread says that columns of sparse rows, each multiplied by its own deviation, are one more
	// scale to compare.
	Spread bool
	// Rows is the size of the largest sample; 0 means 2000.
	Rows int
	// Work bounds the search in floating-point operations, counted rather than timed, so
	// that the choice does not depend on the machine: samples shrink to keep it. 0 means
	// no bound but that of Rows, some 5e10. That of Basis is not counted.
	Work float64
	// MemoryLimit bounds the bytes that the search uses at a time: samples shrink to keep it.
	// 0 means no bound but that of Rows. That of Basis is not counted.
	MemoryLimit int64
	Seed        uint64
	Workers     int // 0 means GOMAXPROCS
	// Stopped tells whether to end with the best so far; nil means never. It is asked
	// before each of the factorisations, none of which takes longer than some tenths of a
	// second, from several goroutines.
	Stopped func() bool
	// Progress is told the work done, and that of the whole search at most; nil means
	// that nobody listens. Calls come one at a time.
	Progress func(done, total float64)
}

// Tune chooses what is not given of the scale of the columns, the family, the bandwidth and the ridge of
// kernel ridge regression with an unpenalised constant for rows x, finite, at least one,
// and targets y, n×q, or, where labels is not nil, classes 0, 1, ... one against the rest,
// of which y is not read. It compares exact leave-one-out predictions, on samples that
// grow while fewer places are left, as described at the constants of the search. Options.Metric
// tells whether it learns a linear map of the rows besides, where that is better beyond chance
// on rows that it was not learned from; that takes some four times as long.
//
// Columns of few distinct values may be codes of categories. Those of dense rows one-hot encoded
// (kernel.OneHot) are one more scale, taken where it is better by two standard errors, but for
// Options.Linear and for full metrics.
//
// Of sparse rows the scale of the columns is left as it is or, with Options.Spread, each column
// multiplied by its deviation where that is better by two standard errors; no metric is learned, and kernels of the sum of absolute differences, which
// would take dense rows, are not among the families.
//
// Where the last sample cannot tell, by standard errors of differences, it takes columns
// of one standard deviation, the simpler family, and the larger ridge (after Breiman and others,
// "Classification and regression trees", 1984, section 3.4.3).
//
// The same options give the same bits for any number of workers. Memory: a matrix
// of the largest sample, for metrics one of 1200 rows
// besides, and for each of two workers eight of 1000. Where nothing can be compared, of less than three rows or if
// stopped before the first rating, the choice is the Gaussian of the median distance.
func Tune(x compute.Points, y compute.Matrix, labels []int, opts Options) kernel.Choice {
	c, _ := TuneMetric(x, y, labels, opts)
	return c
}

// TuneMetric is Tune, and reports besides whether the kernel has a metric that was learned:
// it is then a kernel.Projected, or a kernel.ARD with weights of the columns.
func TuneMetric(x compute.Points, y compute.Matrix, labels []int, opts Options) (c kernel.Choice, metric bool) {
	if x.Sparse != nil {
		opts.Metric, opts.Linear = kernel.NoMetric, true // and there are no codes
	} else {
		opts.Spread = false
	}
	d, q := x.PerRow(), OutputsOf(y, labels)
	order := withoutCopies(x, y, labels, SampleOrder(x.Rows, opts.sizes(x.Rows, d, q).final, labels, opts.Seed))
	s := opts.sizes(len(order), d, q)
	p := newProblem(x, y, labels, order, &opts)
	t := newSearch(p, &opts, s)
	t.enlarged = newEnlarged(t, x, y, labels, s.final, &opts)
	var st *stage
	if len(order) >= leastRows {
		st = t.run(s)
	}
	if st == nil {
		at := p.start(place{})
		none := kernel.Trial{Kernel: p.kernel(at), Noise: p.noise(at), Error: math.Inf(1)}
		return kernel.Choice{Trial: none, Exact: none, Stopped: t.watch.stopped()}, false
	}
	c, metric = t.choice(st, &opts)
	if c.Stopped = t.watch.stopped(); !c.Stopped {
		t.watch.reach(t.watch.total)
	}
	return c, metric
}

// choice returns what the last stage chooses or, where there are such, a metric that is learned does better, a basis
// carries more of, or rows beyond those of the search say.
func (t *search) choice(st *stage, o *Options) (c kernel.Choice, metric bool) {
	chosen := st.choose()
	c = kernel.Choice{Trial: st.trial(chosen), Exact: st.trial(st.best()), Curve: t.curve()}
	contenders := t.bestOfFamilies(chosen.place)
	if t.metrics != nil && st == t.final {
		if best := t.metrics.run(chosen.place); best != nil {
			st, metric, chosen = t.metrics.judge, true, best
			c.Trial = st.trial(best)
			c.Exact = c.Trial
			contenders = slices.Insert(contenders, 0, contender{best.place, min(contenders[0].score, best.score)})
		}
	}
	if best, trial := t.carried(st, contenders, o.Basis, o.Narrower); best != nil {
		chosen, c.Trial = best, trial
	}
	if e := t.enlarged; e != nil {
		o.Basis = nil // and what it holds
		t.final.release()
		t.watch.reach(t.watch.total - e.work())
		at := e.improve(chosen.place)
		metric = t.problem.scales[at.scale].learned
		c.Kernel, c.Noise = t.problem.kernel(at), t.problem.noise(at)
	}
	return c, metric
}

// curve returns all ratings, those of the most rows first.
func (t *search) curve() (list []kernel.Trial) {
	for _, of := range slices.Compact([]*stage{t.final, t.fine, t.coarse}) {
		for _, r := range of.ratings() {
			list = append(list, of.trial(r))
		}
	}
	return list
}

// leastRows is the number of rows below which leaving one out leaves nothing to learn.
const leastRows = 3

// sizes returns the rows of the stages, which shrink until the work is as allowed.
func (o *Options) sizes(n, d, q int) sizes {
	s := sizesOf(o.within(min(n, cmp.Or(o.Rows, sampleRows)), d, q))
	for o.Work > 0 && s.total(d, o.Spread)+o.metricWork(s.final, d) > o.Work && s.final > leastRows {
		s = s.shrunk()
	}
	return s
}

// The rule of choice, in standard errors. The scale that is preferred gives way to one
// that is better by two; that as it is of sparse rows, where columns times their deviations are no
// less likely, by one. A simpler family, and then a larger noise, is taken that is worse
// by half of one at most.
const (
	scaleErrors  = 2
	spreadErrors = 1
	familyErrors = 0.5
	noiseErrors  = 0.5
)

// choose returns the rating that the rule takes.
func (s *stage) choose() *rating {
	best := s.preferred(s.best())
	for family := range best.family {
		r := s.first(best, familyErrors, func(r *rating) bool { return r.family == family && r.scale == best.scale })
		if r != nil {
			best = r
			break
		}
	}
	chosen := best
	for _, r := range s.ratings() {
		if r.moved(0, -r.noise) == best.moved(0, -best.noise) && r.noise > chosen.noise && r.within(noiseErrors, best) {
			chosen = r
		}
	}
	return chosen
}

// preferred returns the rating of the first scale that is not too far behind the best.
func (s *stage) preferred(best *rating) *rating {
	errors := float64(scaleErrors)
	if s.problem.spread(best) {
		errors = spreadErrors
	}
	for scale := range best.scale {
		of := func(r *rating) bool { return r.scale == scale }
		if r := s.first(best, errors, of); r != nil {
			if s.problem.spread(best) { // the choice is then what it is without that
				return s.bestWhere(of)
			}
			return r
		}
	}
	return best
}

// first returns the best rating of which is true, within so many standard errors, or nil.
func (s *stage) first(best *rating, errors float64, is func(r *rating) bool) *rating {
	for _, r := range s.ratings() {
		if is(r) && r.within(errors, best) {
			return r
		}
	}
	return nil
}

// within reports whether the error is at most so many standard errors above that of best.
func (r *rating) within(errors float64, best *rating) bool {
	return r.loss != nil && r.error <= best.error+errors*standardError(r.loss, best.loss)
}

// trial returns what the report tells of a rating.
func (s *stage) trial(r *rating) kernel.Trial {
	t := kernel.Trial{
		Kernel: s.problem.kernel(r.place), Noise: s.problem.noise(r.place), Rows: s.n, Error: r.error, Wrong: r.wrong,
		StandardError: math.Inf(1), AtEdge: s.problem.edge(r.place),
	}
	if best := s.best(); r.loss != nil {
		t.StandardError = standardError(r.loss, best.loss)
	}
	return t
}
