package search

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
)

// The metric search first learns column weights for each family on few rows and improves
// the best on more rows. Starting from these and from the best kernel without a metric, it
// learns full metrics by mean outer products of gradients, and improves the best by descent
// of the leave-one-out error. It scores all of them on rows not used to learn them.
const (
	weightRows      = 500
	weightSteps     = 15
	longWeightRows  = 1000
	longWeightSteps = 12
	longWeights     = 2   // maximum number of families that are improved on more rows
	dropMargin      = 0.1 // in log error: families worse by more are dropped
	outerRows       = 1200
	outerSteps      = 3
	mixSteps        = 12
	leastGain       = 3e-3 // in log error: the smallest useful gain of a step
	firstStep       = 1    // in log weight
	longestStep     = 2    // in log weight
	firstMix        = 0.1  // in matrix elements, from the identity
	longestMix      = 0.5  // in matrix elements
	metricErrors    = 1    // standard errors by which a metric must be better
	fewRowErrors    = 2    // the same for fewer than fewHeldOut rows, where the best of several may win by chance
	fewHeldOut      = 300
)

// FewestMetricRows is the smallest number of rows for which a metric is worth its variance.
const FewestMetricRows = 60

// mostMetricColumns is the maximum number of columns for a matrix unless Options.Rank is set.
const mostMetricColumns = 200

// metricSearch is the part of a search that learns metrics.
type metricSearch struct {
	*search
	kind           kernel.Metric
	rank           int     // maximum rank of matrices; 0 means full rank
	training       *rung   // on the rows that metrics are learned from
	trainingScorer *scorer // for training
	heldOut        *rung   // on all rows, predicting the rows not in training
}

// newMetricSearch divides n rows.
func newMetricSearch(t *search, n int, o *Options) *metricSearch {
	learn, held := metricRows(n)
	return &metricSearch{search: t, kind: o.Metric, rank: o.Rank, training: newRung(t.problem, t.counter, learn, learn-learn/2, t.workers),
		heldOut: t.final.predicting(held)}
}

// CheckMetric returns an error if a metric other than AutoMetric is requested for sparse
// rows, where Tune learns no metric.
func CheckMetric(pkg string, of kernel.Metric, x compute.Points) error {
	if x.Sparse == nil {
		return nil
	}
	return input.Refuse(pkg, "a fit to sparse rows", []input.Unused{{Name: "Metric", Set: of > kernel.NoMetric}})
}

// farOut bounds numbers with safe squares, sums of squares and inverses.
const farOut = 0x1p440

// CheckRange returns an error that wraps rkhs.ErrDiverged if squares of x or y would leave
// the floating-point range. It checks x only if the kernel is not given. y may be zero.
func CheckRange(pkg string, given kernel.Kernel, x compute.Points, y compute.Matrix) error {
	most := 0.0
	for i := range x.Rows {
		for _, v := range x.Values(i) {
			most = max(most, math.Abs(v))
		}
	}
	if given == nil && most > 0 && !(most <= farOut && most >= 1/farOut) {
		return fmt.Errorf("%s: the largest number of x is %.3g, of which squares are out of range: divide x by it: %w", pkg, most, rkhs.ErrDiverged)
	}
	most = 0
	for i := range y.Rows {
		for _, v := range compute.Row(y, i) {
			most = max(most, math.Abs(v))
		}
	}
	return CheckTargets(pkg, most)
}

// CheckTargets is CheckRange for the largest target.
func CheckTargets(pkg string, most float64) error {
	if most > 0 && !(most <= farOut && most >= 1/farOut) {
		return fmt.Errorf("%s: the largest target is %.3g, of which squares are out of range: divide targets by it: %w", pkg, most, rkhs.ErrDiverged)
	}
	return nil
}

// learnsMetric reports whether the search includes metrics for n rows of d columns.
func (o *Options) learnsMetric(n, d int) bool {
	return o.Metric != kernel.NoMetric && o.Kernel == nil && n >= FewestMetricRows && d > 1
}

// metricRows returns the number of rows that metrics are learned from and the number of
// held-out rows.
func metricRows(n int) (learn, held int) {
	held = n / 2
	if n < 1500 {
		held = n / 3
	}
	return min(n-held, outerRows), held
}

// metricWork returns the maximum number of floating-point operations of the metric search.
func metricWork(n, d int) float64 {
	learn, held := metricRows(n)
	few, many := min(learn, weightRows), min(learn, longWeightRows)
	const fixedPoints, places = 4, longWeights + 5
	return float64(2*(len(AllFamilies)+1)*weightSteps)*weightWork(few, d) + ((longWeights+1)*longWeightSteps+mixSteps)*weightWork(many, d) +
		fixedPoints*(fineTrials+2*outerSteps)*work(learn, learn-learn/2, d) + (places+5)*work(n, held, d)
}

// metricWork returns the work of the metric search, or 0 without one.
func (o *Options) metricWork(n, d int) float64 {
	if !o.learnsMetric(n, d) {
		return 0
	}
	return metricWork(n, d)
}

// weightWork returns the floating-point operations of one descent step for column weights.
func weightWork(n, d int) float64 { m := float64(n); return 3*m*m*m + 4*m*m*float64(d) }

// run returns the trial of the best metric, or nil if no metric is significantly better
// than the chosen candidate.
func (m *metricSearch) run(chosen candidate) *trial {
	m.trainingScorer = m.training.acquire(m.workers)
	list := m.candidates(chosen)
	m.trainingScorer = nil
	r := m.heldOut.acquire(m.workers)
	defer m.heldOut.pool.put(r)
	base := r.score(chosen)
	for _, at := range list {
		r.score(at)
	}
	best := m.simpler(m.heldOut.best())
	if base == nil || best == nil || best.scale < m.firstMetric() {
		return nil
	}
	for _, step := range []int{-1, 1} {
		for next := r.score(best.step(0, step)); better(next, best); next = r.score(best.step(0, step)) {
			best = next
		}
	}
	if base.loss != nil && base.error <= best.error+m.errors()*standardError(base.loss, best.loss) {
		return nil
	}
	return best
}

// simpler returns the best trial without an extra scale unless best is significantly better.
func (m *metricSearch) simpler(best *trial) *trial {
	if best == nil || !m.problem.extra(best.candidate) {
		return best
	}
	others := m.heldOut.bestWhere(func(r *trial) bool { return !m.problem.extra(r.candidate) })
	if others != nil && others.within(m.errors(), best) {
		return others
	}
	return best
}

// errors returns the number of standard errors by which a metric must be better.
func (m *metricSearch) errors() float64 {
	if m.heldOut.held < fewHeldOut {
		return fewRowErrors
	}
	return metricErrors
}

// firstMetric returns the index of the first scale that is a metric, or −1.
func (m *metricSearch) firstMetric() int {
	return slices.IndexFunc(m.problem.scales, func(l linear) bool { return l.learned })
}

// candidates returns the learned metrics as candidates.
func (m *metricSearch) candidates(chosen candidate) []candidate {
	var list []candidate
	from := []candidate{chosen}
	for _, w := range m.diagonals(chosen) {
		at := m.candidate(w)
		from, list = append(from, at), append(list, at)
	}
	if m.kind == kernel.DiagonalMetric || m.tooWide(m.problem.sample.Cols) {
		return list
	}
	full := m.full(from)
	if m.kind == kernel.FullMetric {
		return full
	}
	return append(list, full...)
}

// tooWide reports whether d columns are too many for a matrix.
func (m *metricSearch) tooWide(d int) bool { return m.rank == 0 && d > mostMetricColumns }

// full returns candidates with full metrics. It starts from the first two of a list with a
// kernel of Euclidean distance and few enough columns after encoding. Descent from the best
// of them predicts well but gets the directions less accurately, so another fixed point
// iteration follows.
func (m *metricSearch) full(from []candidate) (list []candidate) {
	var best *trial
	from = slices.DeleteFunc(from, func(at candidate) bool {
		return m.problem.families[at.family] == LaplacianByColumns || m.tooWide(m.problem.rows[at.scale].Cols)
	})
	for _, at := range smoothed(from[:min(2, len(from))]) {
		if found := m.fixedPoint(at); found != nil {
			list = append(list, found.candidate)
			if better(found, best) {
				best = found
			}
		}
	}
	if best != nil {
		mixed := m.mix(best.candidate)
		list = append(list, mixed)
		if found := m.fixedPoint(mixed); found != nil {
			list = append(list, found.candidate)
		}
	}
	return list
}

// The gradients of a kernel narrower than the median distance reflect the sample rather
// than the function. Outer products therefore also start at the median distance, with noise
// of at least 10^(smoothNoise/2).
const smoothNoise = -2

func (p candidate) smooth() candidate {
	p.width, p.noise = 0, max(p.noise, smoothNoise)
	return p
}

// smoothed inserts a smoothed copy of the first candidate if its kernel is narrow.
func smoothed(from []candidate) []candidate {
	if len(from) == 0 || from[0].width >= 0 {
		return from
	}
	return slices.Insert(slices.Clone(from), 1, from[0].smooth())
}

// nearest adds a metric and returns the grid point nearest to a bandwidth and a noise.
func (m *metricSearch) nearest(l linear, family int, bandwidth, noise float64) candidate {
	at := candidate{scale: m.problem.add(l, m.workers), family: family}
	at.width = nearestStep(bandwidth/m.problem.bandwidth(at), 2, 2)
	at.noise = nearestStep(noise, 2, 10)
	at.width = min(max(at.width, leastWidth), mostWidth)
	at.noise = min(max(at.noise, m.problem.leastNoise(at)), mostNoise)
	return at
}

// nearestStep returns k with base^(k/steps) nearest to v.
func nearestStep(v, steps, base float64) int {
	return int(math.Round(steps * logOne(v) / logOne(base)))
}

// inBandwidths returns the first n rows in the scale of a candidate, divided by its bandwidth.
func (m *metricSearch) inBandwidths(at candidate, n int) compute.Matrix {
	u := compute.Clone(compute.Rows(m.problem.rows[at.scale].Matrix, 0, n))
	floats.Scale(1/m.problem.bandwidth(at), u.Data)
	return u
}
