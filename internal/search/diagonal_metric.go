package search

import (
	"cmp"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// weighted is a candidate with column weights found from it.
type weighted struct {
	candidate
	at    []float64 // logarithms of the weights and, last, of the noise
	value float64
}

// The error of a kernel much wider than the median distance is almost independent of
// the weights, so descent ends near its start. If the width exceeds wideStart, a
// second descent starts at the median distance with noise 10^(narrowNoise/2).
const wideStart, narrowNoise = 2, -4

// diagonals learns column weights for the families on few rows, starting from the best
// candidate of each, improves the first on more rows, and returns these best first. The
// weights of warped columns come last. diagonals learns them only if they are better
// than all other weights on few rows.
func (m *metricSearch) diagonals(chosen candidate) []weighted {
	var from []candidate
	for _, c := range m.bestOfFamilies(chosen) {
		from = append(from, c.candidate)
	}
	list, warped := m.weighAll(from), m.weighAll(m.bestOfWarpings())
	least := list[0].value
	list = slices.DeleteFunc(list[:min(len(list), longWeights)], func(w weighted) bool { return w.value > least+dropMargin })
	m.descendAll(list)
	sortByValue(list)
	if len(warped) > 0 && warped[0].value < least {
		m.descendAll(warped[:1])
		list = append(list, warped[0])
	}
	return list
}

// weighAll learns weights from candidates on few rows and returns them best first.
func (m *metricSearch) weighAll(from []candidate) []weighted {
	list := make([]weighted, len(from))
	compute.Parallel(len(list), m.side, func(i int) { list[i] = m.weigh(from[i]) })
	sortByValue(list)
	return list
}

// descendAll improves weights on more rows.
func (m *metricSearch) descendAll(list []weighted) {
	if m.training.n > weightRows {
		compute.Parallel(len(list), m.side, func(i int) { m.descend(&list[i], longWeightRows, longWeightSteps) })
	}
}

// bestOfWarpings returns the best candidate with warped columns, as scored on the most rows.
func (m *metricSearch) bestOfWarpings() []candidate {
	warped := func(r *trial) bool { l := m.problem.scales[r.scale]; return l.columns.from != nil && !l.learned }
	for _, st := range []*rung{m.final, m.fine, m.coarse} {
		if best := st.bestWhere(warped); best != nil {
			return []candidate{best.candidate}
		}
	}
	return nil
}

// weigh returns the best weights found from a candidate on few rows.
func (m *metricSearch) weigh(at candidate) weighted {
	best := m.unweighted(at)
	m.descend(&best, weightRows, weightSteps)
	if at.width > wideStart {
		at.width, at.noise = 0, narrowNoise
		other := m.unweighted(at)
		m.descend(&other, weightRows, weightSteps)
		if other.value < best.value {
			best = other
		}
	}
	return best
}

// unweighted gives all columns the weight that corresponds to the bandwidth.
func (m *metricSearch) unweighted(at candidate) weighted {
	w := weighted{candidate: at, at: make([]float64, m.problem.rows[at.scale].Cols+1)}
	logBandwidth := logOne(m.problem.bandwidth(at))
	for c := range w.at {
		w.at[c] = -m.problem.families[at.family].power() * logBandwidth
	}
	w.at[len(w.at)-1] = logOne(m.problem.noise(at))
	return w
}

func sortByValue(list []weighted) {
	slices.SortStableFunc(list, func(a, b weighted) int { return cmp.Compare(a.value, b.value) })
}

// descend improves weights on at most rows rows. Concurrent tasks share the workers equally.
func (m *metricSearch) descend(w *weighted, rows, steps int) {
	rows = min(rows, m.training.n)
	c := newColumnWeights(compute.Rows(m.problem.rows[w.scale].Matrix, 0, rows), compute.Rows(m.problem.y, 0, rows), m.problem.weights.Between(0, rows), m.problem.families[w.family], max(1, m.workers/m.side))
	value := func(at, gradient []float64) float64 {
		m.counter.add(weightWork(rows, c.x.Cols))
		return c.value(at, gradient)
	}
	d := descent{value: value, steps: steps, enough: leastGain, first: firstStep, longest: longestStep, stopped: m.counter.stopped}
	w.value = d.minimise(w.at)
}

// candidate adds the learned weights as a scale and returns the nearest grid point.
func (m *metricSearch) candidate(w weighted) candidate {
	d := len(w.at) - 1
	before, power := m.problem.scales[w.scale], m.problem.families[w.family].power()
	scales := make(columnScale, d)
	for c, v := range w.at[:d] {
		scales[c] = -v / power
	}
	compute.Exp(scales, scales)
	for c := range scales {
		if before.divide != nil {
			scales[c] *= before.divide[c]
		}
	}
	return m.nearest(linear{columns: before.columns, divide: scales, learned: true}, w.family, 1, compute.ExpOne(w.at[d]))
}
