package svm

import (
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// epoch remembers variables that were taken out of the problem together, and the
// beta for which their residuals are right.
type epoch struct {
	variables []int
	beta      []float64
}

// shrink takes variables at a bound out of the problem that are to stay there:
// such as cannot rise with residuals above all that can, and such as cannot fall
// with residuals below all that can. It waits until these are a good part.
func (s *solver) shrink(top, bottom float64) {
	if s.whole || !s.gram.shrinks() || len(s.active) <= s.set.size {
		return
	}
	idle := func(i int) bool {
		return !s.up(i) && s.e[i] > top || !s.down(i) && s.e[i] < bottom
	}
	var out, stay []int
	for _, i := range s.active {
		if idle(i) {
			out = append(out, i)
		} else {
			stay = append(stay, i)
		}
	}
	if len(out) < len(s.active)/4 {
		return
	}
	s.epochs = append(s.epochs, epoch{out, slices.Clone(s.beta)})
	s.activate(stay)
}

// restore takes all variables back into the problem.
func (s *solver) restore() {
	for _, e := range s.epochs {
		s.update(e.variables, e.beta)
	}
	s.epochs = nil
	s.activate(compute.Indices(len(s.beta)))
}

func (s *solver) activate(list []int) {
	s.active = list
	rows, t := s.rowsOf(list), 0
	for _, i := range list {
		if rows[t] != s.row(i) {
			t++
		}
		s.place[i] = t
	}
	s.set.keep(list)
	s.gram.restrict(rows)
}
