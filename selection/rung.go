package selection

import "math"

// rung is how many of the candidates go on to it, and of each split which part of the rows they
// learn from.
type rung struct {
	candidates int
	divisor    int
}

// rungs plans a search among so many candidates, of splits of which each has so many rows to
// learn from, at least: with Eta as many rungs as leave one candidate for the last, and FirstRows
// rows for the first.
func (o *Options) rungs(candidates, rows int) []rung {
	count, divisor := 1, 1
	if o.Eta > 0 {
		for divisor <= candidates/o.Eta && rows/(divisor*o.Eta) >= o.FirstRows {
			divisor *= o.Eta
			count++
		}
	}
	list := make([]rung, count)
	going := candidates
	for i := range list {
		list[i] = rung{candidates: going, divisor: divisor}
		going = max(1, going/max(1, o.Eta))
		divisor /= max(1, o.Eta)
	}
	return list
}

// of returns the number of rows of a rung.
func (r rung) of(rows int) int { return over(rows, r.divisor) }

// over divides, and rounds up.
func over(a, by int) int { return int(math.Ceil(float64(a) / float64(by))) }
