package choose

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

// The search for a metric. Weights of the columns are found for each family on few rows,
// and for the best of these on more. From the best of them, and from the best kernel
// without a metric, mean outer products of gradients lead to full metrics, the best of
// which descent of the leave-one-out error improves. All are judged by the leave-one-out
// errors of rows that none has learned from.
const (
	weightRows      = 500
	weightSteps     = 15
	longWeightRows  = 1000
	longWeightSteps = 12
	longWeights     = 2   // families that go on to these, at most
	farBehind       = 0.1 // of the logarithm of the error: families that do not
	outerRows       = 1200
	outerSteps      = 3
	mixSteps        = 12
	enoughGain      = 3e-3 // of the logarithm of the error, that a step must bring
	firstStep       = 1    // of the logarithm of a weight
	longestStep     = 2    // the same
	firstMix        = 0.1  // of an element of a matrix that begins as the unit matrix
	longestMix      = 0.5  // the same
	metricErrors    = 1    // standard errors that a metric must be better by
	fewErrors       = 2    // these, judged on less than fewJudged rows, where the best of several is better by chance
	fewJudged       = 300
)

// FewestMetricRows is the number of rows below which no metric is worth its variance.
const FewestMetricRows = 60

// mostMetricColumns is the number of columns beyond which metrics are diagonal, unless their rank
// is given.
const mostMetricColumns = 200

// metricSearch is the part of a search that learns metrics.
type metricSearch struct {
	*search
	kind    kernel.Metric
	rank    int    // of matrices, at most; 0 means that of the columns
	learn   *stage // of the rows that metrics are learned from
	learner *rater // of these
	judge   *stage // of all rows, where the others are predicted
}

// newMetricSearch divides n rows.
func newMetricSearch(t *search, n int, o *Options) *metricSearch {
	learn, held := metricRows(n)
	return &metricSearch{search: t, kind: o.Metric, rank: o.Rank, learn: newStage(t.problem, t.watch, learn, learn-learn/2, t.workers),
		judge: t.final.predicting(held)}
}

// CheckMetric refuses a metric that is asked for where none is learned, of sparse rows:
// AutoMetric is none of these.
func CheckMetric(pkg string, of kernel.Metric, x compute.Points) error {
	if x.Sparse == nil {
		return nil
	}
	return input.Refuse(pkg, "a fit to sparse rows", []input.Unused{{Name: "Metric", Set: of > kernel.NoMetric}})
}

// farOut is where squares of numbers, sums of them and their inverses come near the ends of the range.
const farOut = 0x1p440

// CheckRange returns an error that wraps rkhs.ErrDiverged if x, of which the kernel is searched for, or y have numbers
// of which squares leave the range of floating point: a search would see nothing of them. y may be zero.
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
	if most > 0 && !(most <= farOut && most >= 1/farOut) {
		return fmt.Errorf("%s: the largest target is %.3g, of which squares are out of range: divide targets by it: %w", pkg, most, rkhs.ErrDiverged)
	}
	return nil
}

// learnsMetric reports whether a metric is searched for among n rows of d columns.
func (o *Options) learnsMetric(n, d int) bool {
	return o.Metric != kernel.NoMetric && o.Kernel == nil && n >= FewestMetricRows && d > 1
}

// metricRows returns how many of n rows metrics are learned from, and how many they are
// judged on.
func metricRows(n int) (learn, held int) {
	held = n / 2
	if n < 1500 {
		held = n / 3
	}
	return min(n-held, outerRows), held
}

// metricWork returns the work of the search, at most.
func metricWork(n, d int) float64 {
	learn, held := metricRows(n)
	few, many := min(learn, weightRows), min(learn, longWeightRows)
	const fixedPoints, places = 4, longWeights + 5
	return float64(2*len(AllFamilies)*weightSteps)*weightWork(few, d) + (longWeights*longWeightSteps+mixSteps)*weightWork(many, d) +
		fixedPoints*(fineRating+2*outerSteps)*work(learn, learn-learn/2, d) + (places+5)*work(n, held, d)
}

// metricWork returns that of the search for a metric among so many rows.
func (o *Options) metricWork(n, d int) float64 {
	if !o.learnsMetric(n, d) {
		return 0
	}
	return metricWork(n, d)
}

// weightWork is that of a step of the weights of columns.
func weightWork(n, d int) float64 { m := float64(n); return 3*m*m*m + 4*m*m*float64(d) }

// run returns the rating of the metric that does best, or nil if none is better than the
// chosen place by more than chance.
func (m *metricSearch) run(chosen place) *rating {
	m.learner = m.learn.take(m.workers)
	list := m.candidates(chosen)
	m.learner = nil
	r := m.judge.take(m.workers)
	defer m.judge.pool.give(r)
	base := r.rate(chosen)
	for _, at := range list {
		r.rate(at)
	}
	best := m.judge.best()
	if base == nil || best == nil || best.scale < m.firstMetric() {
		return nil
	}
	for _, step := range []int{-1, 1} {
		for next := r.rate(best.moved(0, step)); better(next, best); next = r.rate(best.moved(0, step)) {
			best = next
		}
	}
	if base.loss != nil && base.error <= best.error+m.errors()*standardError(base.loss, best.loss) {
		return nil
	}
	return best
}

// errors is the number of standard errors that a metric must be better by.
func (m *metricSearch) errors() float64 {
	if m.judge.held < fewJudged {
		return fewErrors
	}
	return metricErrors
}

// firstMetric is the number of the first scale that is a metric.
func (m *metricSearch) firstMetric() int {
	return slices.IndexFunc(m.problem.scales, func(l linear) bool { return l.learned })
}

// candidates returns the places of the metrics that were learned.
func (m *metricSearch) candidates(chosen place) []place {
	var list []place
	from := []place{chosen}
	for _, w := range m.diagonals(chosen) {
		at := m.place(w)
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

// tooWide reports whether so many columns are too many for a matrix.
func (m *metricSearch) tooWide(d int) bool { return m.rank == 0 && d > mostMetricColumns }

// full returns the places of full metrics, learned from the first two of a list whose family
// is a function of Euclidean distance, and whose columns are not too many, encoded. What descent finds from the best of them tells the
// directions less well than it predicts; outer products there mend that.
func (m *metricSearch) full(from []place) (list []place) {
	var best *rating
	from = slices.DeleteFunc(from, func(at place) bool {
		return m.problem.families[at.family] == LaplacianByColumns || m.tooWide(m.problem.rows[at.scale].Cols)
	})
	for _, at := range smoothed(from[:min(2, len(from))]) {
		if found := m.fixedPoint(at); found != nil {
			list = append(list, found.place)
			if better(found, best) {
				best = found
			}
		}
	}
	if best != nil {
		mixed := m.mix(best.place)
		list = append(list, mixed)
		if found := m.fixedPoint(mixed); found != nil {
			list = append(list, found.place)
		}
	}
	return list
}

// Of a kernel that is narrower than the median distance the gradients say more of the rows at
// hand than of the function. Outer products start besides at the median, with noise of
// 10^(smoothNoise/2) at least.
const smoothNoise = -2

func (p place) smooth() place {
	p.width, p.noise = 0, max(p.noise, smoothNoise)
	return p
}

// smoothed adds such a place to the first of a list.
func smoothed(from []place) []place {
	if len(from) == 0 || from[0].width >= 0 {
		return from
	}
	return slices.Insert(slices.Clone(from), 1, from[0].smooth())
}

// nearest appends a metric and returns the place nearest to a bandwidth and a noise.
func (m *metricSearch) nearest(l linear, family int, bandwidth, noise float64) place {
	at := place{scale: m.problem.add(l, m.workers), family: family}
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

// inBandwidths returns the first n rows in the scale of a place, in bandwidths of it.
func (m *metricSearch) inBandwidths(at place, n int) compute.Matrix {
	u := compute.Clone(compute.Rows(m.problem.rows[at.scale].Matrix, 0, n))
	floats.Scale(1/m.problem.bandwidth(at), u.Data)
	return u
}
