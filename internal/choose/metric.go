package choose

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// The search for a metric. Weights of the columns are found for each family on few rows,
// and for the best of these on more; mean outer products of gradients then lead from the
// best of them, and from the best kernel without a metric, to full metrics. All are
// judged by the leave-one-out errors of rows that none has learned from.
const (
	weightRows      = 500
	weightSteps     = 25
	longWeightRows  = 1000
	longWeightSteps = 12
	longWeights     = 2 // families that go on to these
	outerRows       = 1200
	outerSteps      = 3
	enoughGain      = 3e-3 // of the logarithm of the error, that a step must bring
	longestStep     = 2    // of the logarithm of a weight
	metricErrors    = 1    // standard errors that a metric must be better by
)

// FewestMetricRows is the number of rows below which no metric is worth its variance.
const FewestMetricRows = 60

// mostMetricColumns is the number of columns beyond which metrics are diagonal.
const mostMetricColumns = 200

// metricSearch is the part of a search that learns metrics.
type metricSearch struct {
	*search
	learn *stage // of the rows that metrics are learned from
	judge *stage // of all rows, where the others are predicted
}

// newMetricSearch divides n rows, or returns nil where they are too few, or of one column.
func newMetricSearch(t *search, n int) *metricSearch {
	learn, held := metricRows(n)
	if n < FewestMetricRows || t.problem.sample.Cols < 2 {
		return nil
	}
	return &metricSearch{search: t, learn: newStage(t.problem, t.watch, learn, learn, t.workers),
		judge: newStage(t.problem, t.watch, n, held, t.workers)}
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
	return 3*weightSteps*weightWork(few, d) + longWeights*longWeightSteps*weightWork(many, d) +
		float64(longWeights+2*outerSteps)*fineRating*work(learn, learn, d) + float64(longWeights+5)*work(n, held, d)
}

// weightWork is that of a step of the weights of columns.
func weightWork(n, d int) float64 { m := float64(n); return 3*m*m*m + 4*m*m*float64(d) }

// weighted is a place and weights of the columns that were found from it.
type weighted struct {
	place
	at    []float64 // logarithms of the weights, and of the noise
	value float64
}

// run returns the rating of the metric that does best, or nil if none is better than the
// chosen place by more than chance.
func (m *metricSearch) run(chosen place) *rating {
	r := m.judge.take(m.workers)
	base := r.rate(chosen)
	var list []*rating
	diagonal := m.diagonals()
	for _, w := range diagonal {
		list = append(list, m.refined(w.place))
	}
	from := []place{chosen}
	if len(diagonal) > 0 {
		from = append(from, diagonal[0].place)
	}
	for _, at := range from {
		if m.problem.families[at.family] != LaplacianByColumns && m.problem.sample.Cols <= mostMetricColumns {
			list = append(list, m.fixedPoint(at))
		}
	}
	for _, l := range list {
		if l != nil {
			r.rate(l.place)
		}
	}
	best := m.judge.best()
	if base == nil || best == nil || best.scale < m.firstMetric() {
		return nil
	}
	r.rate(best.moved(0, -1))
	r.rate(best.moved(0, 1))
	best = m.judge.best()
	m.watch.reach(m.watch.total)
	if base.loss != nil && base.error <= best.error+metricErrors*standardError(base.loss, best.loss) {
		return nil
	}
	return best
}

// firstMetric is the number of the first scale that is a metric.
func (m *metricSearch) firstMetric() int {
	return slices.IndexFunc(m.problem.scales, func(l linear) bool { return l.learned })
}

// diagonals returns what weights of the columns do for the families, the best first.
func (m *metricSearch) diagonals() []weighted {
	var list []weighted
	for _, at := range m.bestOfFamilies() {
		if m.problem.families[at.family] == LaplacianByColumns || m.watch.stopped() {
			continue
		}
		w := weighted{place: at.place, at: make([]float64, m.problem.rows[at.scale].Cols+1)}
		v := []float64{m.problem.bandwidth(at.place), m.problem.noise(at.place)}
		compute.Log(v, v)
		for c := range w.at {
			w.at[c] = -2 * v[0]
		}
		w.at[len(w.at)-1] = v[1]
		m.descend(&w, weightRows, weightSteps)
		list = append(list, w)
	}
	sortByValue(list)
	list = list[:min(len(list), longWeights)]
	for i := range list {
		if m.learn.n > weightRows {
			m.descend(&list[i], longWeightRows, longWeightSteps)
		}
		list[i].place = m.place(list[i])
	}
	sortByValue(list)
	return list
}

func sortByValue(list []weighted) {
	slices.SortStableFunc(list, func(a, b weighted) int { return cmp.Compare(a.value, b.value) })
}

// descend improves weights on so many rows.
func (m *metricSearch) descend(w *weighted, rows, steps int) {
	rows = min(rows, m.learn.n)
	c := newColumnWeights(compute.Rows(m.problem.rows[w.scale], 0, rows), compute.Rows(m.problem.y, 0, rows), m.problem.families[w.family], m.workers)
	value := func(at, gradient []float64) float64 {
		m.watch.add(weightWork(rows, c.x.Cols))
		return c.value(at, gradient)
	}
	d := descent{value: value, steps: steps, enough: enoughGain, longest: longestStep, stopped: m.watch.stopped}
	w.value = d.minimise(w.at)
}

// place appends the metric of weights to the scales, and returns the nearest place of the
// grid.
func (m *metricSearch) place(w weighted) place {
	d := len(w.at) - 1
	weights := make([]float64, d)
	compute.Exp(weights, w.at[:d])
	before := m.problem.scales[w.scale]
	scales := make(columnScale, d)
	for c, v := range weights {
		scales[c] = 1 / math.Sqrt(v)
		if before.divide != nil {
			scales[c] *= before.divide[c]
		}
	}
	noise := []float64{w.at[d]}
	compute.Exp(noise, noise)
	return m.nearest(linear{divide: scales, learned: true}, w.family, 1, noise[0])
}

// nearest appends a metric and returns the place nearest to a bandwidth and a noise.
func (m *metricSearch) nearest(l linear, family int, bandwidth, noise float64) place {
	at := place{scale: m.problem.add(l, m.workers), family: family}
	at.width = nearestStep(bandwidth/m.problem.medians[at.scale].euclidean, 2, 2)
	at.noise = nearestStep(noise, 2, 10)
	at.width = min(max(at.width, leastWidth), mostWidth)
	at.noise = min(max(at.noise, m.problem.leastNoise(at)), mostNoise)
	return at
}

// nearestStep returns k with base^(k/steps) nearest to v.
func nearestStep(v, steps, base float64) int {
	return int(math.Round(steps * math.Log(v) / math.Log(base)))
}

// refined returns the best rating near a place on the rows that metrics are learned from.
func (m *metricSearch) refined(at place) *rating {
	return m.learn.take(m.workers).refine(at)
}

// fixedPoint goes from a place to the metric of the mean outer product of the gradients of
// the function that it gives, and from there on, and returns the best rating.
func (m *metricSearch) fixedPoint(at place) *rating {
	var best *rating
	for range outerSteps {
		l := m.outer(at)
		if l.matrix.Rows == 0 || m.watch.stopped() {
			break
		}
		next := m.nearest(l, at.family, m.problem.medians[len(m.problem.medians)-1].euclidean, 1)
		next.width, next.noise = at.width, at.noise
		rated := m.refined(next)
		if rated == nil || rated.loss == nil {
			break
		}
		if !better(rated, best) {
			break
		}
		best, at = rated, rated.place
	}
	return best
}

// outer returns the metric that the gradients at a place give.
func (m *metricSearch) outer(at place) linear {
	r := m.learn.take(m.workers)
	r.fill(at)
	y := compute.Rows(m.problem.y, 0, m.learn.n)
	if !r.left.factorise(r.gram, m.problem.noise(at), y, m.learn.n) {
		return linear{}
	}
	u := compute.Clone(compute.Rows(m.problem.rows[at.scale], 0, m.learn.n))
	bandwidth := m.problem.bandwidth(at)
	for i := range u.Rows {
		floats.Scale(1/bandwidth, compute.Row(u, i))
	}
	g := outerProducts(u, r.left.py, m.problem.families[at.family], m.workers)
	before := m.problem.scales[at.scale]
	// G is of the mapped rows: of the divided ones it is LᵀGL.
	if l := before.matrix; l.Rows > 0 {
		t, whole := compute.NewMatrix(g.Rows, l.Cols), compute.NewMatrix(l.Cols, l.Cols)
		compute.MulNN(t, g, l, m.workers)
		compute.MulTN(whole, l, t, m.workers)
		g = whole
	}
	return linear{divide: before.divide, matrix: fourthRoot(g), learned: true}
}
