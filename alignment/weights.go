package alignment

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// mostWhole is the number of rows up to which whole weights are rows repeated.
const mostWhole = 4000

// byWeight lists rows as often as they count, for what is a function of pairs of rows: each
// as often as its weight is of the least, where these are whole numbers and few; or else n
// rows drawn one behind the other from the sum of the weights, which gives a row its part of
// n to within one (systematic sampling; Cochran, "Sampling techniques", 1977, chapter 8).
func (e examples) byWeight(n int, seed uint64) []int {
	if rows, ok := e.whole(); ok {
		return rows
	}
	var rows []int
	step := e.weights.Total(e.x.Rows) / float64(n)
	at, sum := step*rng.New(seed, "alignment rows by weight", 0).Float64(), 0.0
	for i := range e.x.Rows {
		for sum += e.weights.At(i); at < sum && len(rows) < n; at += step {
			rows = append(rows, i)
		}
	}
	return rows
}

// whole lists rows as often as their weights are of the least.
func (e examples) whole() (rows []int, ok bool) {
	const off = 1e-9
	least := e.weights.Least()
	if e.weights.Total(e.x.Rows) > mostWhole*least {
		return nil, false
	}
	for i, w := range e.weights {
		times := math.Round(w / least)
		if math.Abs(w/least-times) > off*times {
			return nil, false
		}
		rows = append(rows, slices.Repeat([]int{i}, int(times))...)
	}
	return rows, true
}

// centre subtracts the mean of each column, of rows that count by their weights, and returns
// the means.
func (e examples) centre(m compute.Matrix) []float64 {
	mean := e.weights.Means(m)
	for i := range m.Rows {
		floats.Sub(compute.Row(m, i), mean)
	}
	return mean
}

// joined returns the weights of both.
func joined(a, b examples) compute.Weights {
	if a.weights == nil && b.weights == nil {
		return nil
	}
	var w compute.Weights
	for _, e := range []examples{a, b} {
		for i := range e.x.Rows {
			w = append(w, e.weights.At(i))
		}
	}
	return w
}

// first returns the first n rows, drawn by their weights if they have any.
func (e examples) first(n int, seed uint64) examples {
	some := e.pick(compute.Indices(n))
	if e.weights != nil {
		some = some.pick(some.byWeight(n, seed))
	}
	return some
}
