package choose

import (
	"iter"
	"math"
)

// A Candidate is a multiple of a bandwidth and a ridge with the criterion that they have on
// rows not learned from: the less, the better. Detail is what a learner notes of it.
type Candidate[T any] struct {
	Factor, Ridge, Criterion float64
	Detail                   T
}

// Unrated is a candidate that any other is better than.
func Unrated[T any](factor, ridge float64) Candidate[T] {
	return Candidate[T]{Factor: factor, Ridge: ridge, Criterion: math.Inf(1)}
}

// A Curve returns the criterion as a function of the ridge at one bandwidth, and what is
// noted of it.
type Curve[T any] func(ridge float64) (criterion float64, detail T)

// Ladder takes ridges in order until so many in a row bring nothing, 0 for all of
// them, or the search is stopped. It returns the better of the best and of where
// it starts from, and all candidates.
func (c Curve[T]) Ladder(start Candidate[T], ridges iter.Seq[float64], patience int, stopped func() bool) (best Candidate[T], all []Candidate[T]) {
	best = start
	worse := 0
	for ridge := range ridges {
		if stopped() {
			break
		}
		t := c.at(start.Factor, ridge)
		all = append(all, t)
		worse++
		if t.Criterion < best.Criterion {
			best, worse = t, 0
		}
		if patience > 0 && worse == patience {
			break
		}
	}
	return best, all
}

func (c Curve[T]) at(factor, ridge float64) Candidate[T] {
	criterion, detail := c(ridge)
	return Candidate[T]{factor, ridge, criterion, detail}
}

// Falling yields the first ridge and its tenths down to the last.
func Falling(first, last float64) iter.Seq[float64] {
	return func(yield func(float64) bool) {
		for ridge := first; ridge > last*0.99; ridge /= 10 {
			if !yield(ridge) {
				return
			}
		}
	}
}
