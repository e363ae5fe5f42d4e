// Package calibrate makes probabilities of scores, and intervals of predictions, by what was
// predicted at rows that were not learned from.
package calibrate

import (
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// Sample is what was predicted at rows that were not learned from, and what came true.
type Sample struct {
	X       compute.Points // the rows of a regression, or none
	Scores  compute.Matrix // n×q
	At      compute.Matrix // n×q, what the model itself predicts of rows left out one by one, or empty
	Targets compute.Matrix // n×q, of a regression
	Class   []int          // of a classification
	Weights compute.Weights
}

// Rows returns their number.
func (s Sample) Rows() int { return s.Scores.Rows }

// With returns the rows of both. One without rows may be zero.
func (s Sample) With(t Sample) Sample {
	if s.Rows() == 0 {
		return t
	}
	all := Sample{Scores: compute.Stack(s.Scores, t.Scores), Class: slices.Concat(s.Class, t.Class)}
	if s.Weights != nil || t.Weights != nil {
		all.Weights = slices.Concat(s.listed(), t.listed())
	}
	if s.Class == nil {
		all.Targets = compute.Stack(s.Targets, t.Targets)
		if s.columned() && t.columned() {
			all.X = compute.DensePoints(compute.Stack(s.X.Matrix, t.X.Matrix))
		}
	}
	return all
}

// columned reports whether it has the columns of its rows.
func (s Sample) columned() bool { return s.X.Rows == s.Rows() && s.X.Sparse == nil && s.X.Cols > 0 }

// listed returns the weights, ones where there are none.
func (s Sample) listed() compute.Weights {
	if s.Weights != nil {
		return s.Weights
	}
	w := make(compute.Weights, s.Rows())
	for i := range w {
		w[i] = 1
	}
	return w
}

// OfMeanOne returns the sample with weights of mean one, as those of a fit are, or none where they are all the
// same: in a stream they have any scale, and no more rows were seen for it.
func (s Sample) OfMeanOne() Sample {
	most := s.Weights.Most()
	if s.Weights == nil || s.Weights.Least() == most {
		s.Weights = nil
		return s
	}
	w := make(compute.Weights, s.Rows())
	for i, v := range s.Weights {
		w[i] = v / most
	}
	mean := w.Total(len(w)) / float64(len(w))
	for i := range w {
		w[i] /= mean
	}
	s.Weights = w
	return s
}

func (s Sample) pick(rows []int) Sample {
	p := Sample{Scores: compute.Pick(s.Scores, rows), Class: compute.PickOf(s.Class, rows), Weights: s.Weights.Pick(rows)}
	if s.Class == nil {
		p.Targets = compute.Pick(s.Targets, rows)
	}
	return p
}

// distinct returns one of each row that is there several times, targets and all, with the weight of all of them: copies
// tell no more of the errors than one.
func (s Sample) distinct() Sample {
	if s.X.Rows != s.Rows() {
		return s
	}
	first := s.X.FirstCopies(s.Targets, nil)
	if first == nil {
		return s
	}
	rows := compute.Distinct(compute.Indices(s.Rows()), first)
	p := s.pick(rows)
	p.X, p.Weights = s.X.Pick(rows), s.Weights.OfCopies(first).Pick(rows)
	if s.At.Rows > 0 {
		p.At = compute.Pick(s.At, rows)
	}
	return p
}

const (
	// Enough rows are worth a fit to others, or not to be learned from: a probability of a half
	// is then off by some .015 for the two numbers of a sigmoid, and the coverage of an interval
	// of level .9 by .007.
	Enough = 2000
	// MostRows are worth a prediction: half as much is then off.
	MostRows = 8000
	// MostSets is how many sets there are room for: a fit to the rows outside of one has
	// four fifths of all at least.
	MostSets = 5
	// leastRows are too few to hold any out.
	leastRows = 10
)

// Plan is how many rows are held out: of sets of a fifth of all rows, or of Each if these are
// fewer, so many that they have Rows together, but no more than Sets.
type Plan struct{ Sets, Rows, Each int }

var (
	// Apart is the plan where rows that are held out are not learned from.
	Apart = Plan{Sets: 1, Rows: Enough, Each: Enough}
	// Cheap is the plan where fits to other rows cost next to nothing.
	Cheap = Plan{Sets: MostSets, Rows: MostRows, Each: MostRows}
)

// Refits is the plan where each set costs a fit to all other rows, of which there are so many at most:
// a set is then as large as it may be, since its rows cost a prediction alone.
func Refits(most int) Plan { return Plan{Sets: most, Rows: Enough, Each: MostRows} }

// Sets returns sets of rows to be held out, one after the other, from fits to all others. They are
// taken from n rows that are a sample of all, or all. Each set has about the same share of
// every class; class is nil where there are none. The only row of a class is in no set. first are the first copies of
// equal rows, or nil: copies are in one set.
func Sets(n, all int, class []int, by Plan, seed uint64, first []int) [][]int {
	rows := n
	order := compute.Distinct(rng.New(seed, "rows to calibrate by", 0).Perm(n), first)
	if first != nil {
		all = all * len(order) / max(1, n)
		n = len(order)
	}
	if n < leastRows {
		return nil
	}
	if class != nil {
		order = bySize(order, class)
		n = len(order)
	}
	size := min(n, all/MostSets, by.Each)
	if size == 0 {
		return nil
	}
	room := (n + size - 1) / size
	sets := make([][]int, min(by.Sets, room, (by.Rows+size-1)/size))
	for i, row := range order {
		if k := i % room; k < len(sets) {
			sets[k] = append(sets[k], row)
		}
	}
	for i, s := range sets {
		slices.Sort(s)
		sets[i] = compute.WithCopies(s, compute.Indices(rows), first)
	}
	return sets
}

// bySize groups rows by class, and leaves out the only row of a class.
func bySize(order, class []int) []int {
	count := map[int]int{}
	for _, k := range class {
		count[k]++
	}
	kept := slices.DeleteFunc(order, func(i int) bool { return count[class[i]] == 1 })
	slices.SortStableFunc(kept, func(a, b int) int { return class[a] - class[b] })
	return kept
}

// Others returns the rows of n that are not among those held out, which ascend.
func Others(n int, held []int) []int {
	rows := make([]int, 0, n-len(held))
	for i := range n {
		if len(held) > 0 && held[0] == i {
			held = held[1:]
			continue
		}
		rows = append(rows, i)
	}
	return rows
}

// folds is the number of parts of a sample by which ways of calibration are compared.
const folds = 5

// parts deals a sample out: it returns the rows of each part, by class where there are any.
func (s Sample) parts() [][]int {
	order := compute.Indices(s.Rows())
	if s.Class != nil {
		slices.SortStableFunc(order, func(a, b int) int { return s.Class[a] - s.Class[b] })
	}
	list := make([][]int, min(folds, len(order)))
	for i, row := range order {
		list[i%len(list)] = append(list[i%len(list)], row)
	}
	for _, part := range list {
		slices.Sort(part)
	}
	return list
}
