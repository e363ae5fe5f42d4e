package alignment

import (
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// examples are rows with their targets, and with their classes if they have labels.
type examples struct {
	x, y    compute.Matrix
	class   []int
	weights compute.Weights // of mean one over all rows
}

// pick returns a copy of some examples.
func (e examples) pick(list []int) examples {
	return examples{x: compute.Pick(e.x, list), y: compute.Pick(e.y, list), class: compute.PickOf(e.class, list), weights: e.weights.Pick(list)}
}

// sample returns up to most randomly drawn examples.
func (e examples) sample(most int, seed, number uint64) examples {
	return e.pick(rng.New(seed, "alignment rows compared", number).Sample(e.x.Rows, min(most, e.x.Rows)))
}

// with returns the examples of both.
func (e examples) with(o examples) examples {
	all := examples{x: compute.Stack(e.x, o.x), y: compute.Stack(e.y, o.y), class: slices.Concat(e.class, o.class)}
	if e.weights == nil && o.weights == nil {
		return all
	}
	for _, part := range []examples{e, o} {
		for i := range part.x.Rows {
			all.weights = append(all.weights, part.weights.At(i))
		}
	}
	return all
}

// firstCopies returns for each row the first equal one.
func (e examples) firstCopies() []int { return compute.DensePoints(e.x).FirstCopies(e.y, e.class) }

// byWeight lists rows so that pairs of listed rows count by the weights. If the weights
// are multiples of the smallest one, with a sum of at most 4000 of it, each row is
// repeated accordingly. Otherwise n rows are drawn by systematic sampling, which gives a
// row its expected number to within one (Cochran, "Sampling techniques", 1977, chapter 8).
func (e examples) byWeight(n int, seed uint64) []int {
	if rows, ok := e.repeated(); ok {
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

// repeated lists each row as often as its weight is a multiple of the smallest one.
func (e examples) repeated() (rows []int, ok bool) {
	const most, tolerance = 4000, 1e-9
	least := e.weights.Least()
	if e.weights.Total(e.x.Rows) > most*least {
		return nil, false
	}
	for i, w := range e.weights {
		times := math.Round(w / least)
		if math.Abs(w/least-times) > tolerance*times {
			return nil, false
		}
		rows = append(rows, slices.Repeat([]int{i}, int(times))...)
	}
	return rows, true
}

// repeat returns the examples of byWeight, or e itself without weights.
func (e examples) repeat(seed uint64) examples {
	if e.weights == nil {
		return e
	}
	return e.pick(e.byWeight(e.x.Rows, seed))
}
