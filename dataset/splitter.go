package dataset

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// A Splitter divides the rows 0 … n−1 of a table into rows to train on and rows
// to test on. Its constructor says which of them may be parted:
//
//	Random      any
//	Stratified  any, but each label goes to both parts in proportion
//	Grouped     not those of one group
//	Ordered     only the last from those before them
//	ByTime      only the later from the earlier, and not those of one time
//
// and Split and Folds how much is held back. What is wrong with the rows is the
// error of these. Same seed, same rows, on every machine.
type Splitter struct {
	rows int
	by   division
	err  error
}

// Fold is one of the divisions of a cross-validation: the numbers of the rows.
type Fold struct {
	Train, Test []int
}

// division is how a Splitter divides. Both methods get what Split and Folds have
// checked.
type division interface {
	split(fraction float64) (train, test []int, err error)
	folds(k int) ([]Fold, error)
}

// Random parts n rows at random. Split tests on round(fraction·n) rows, at most
// all but one; the sizes of folds differ by at most one.
func Random(n int, seed uint64) Splitter {
	n = max(n, 0)
	return Splitter{rows: n, by: strata{class: make([]int, n), sizes: []int{n}, seed: seed}}
}

// Stratified parts rows at random so that each label has its share of both
// parts. Split tests on round(fraction·m) of the m rows of a label, at least one
// and at most all but one; folds differ by at most one row of each label, and by
// one in all.
//
// The errors of Split and Folds are rkhs.ErrLabels for a single label, one of a
// single row, and one of fewer rows than folds; rkhs.ErrNotFinite for a NaN.
func Stratified[T comparable](labels []T, seed uint64) Splitter {
	class, distinct, err := encode("the label", labels)
	name := func(c int) string { return fmt.Sprint(distinct[c]) }
	return Splitter{len(labels), strata{class, sizesOf(class, len(distinct)), seed, name}, err}
}

// Grouped parts groups at random: rows of one value stay together, as those of
// one patient must. Split holds back groups in random order, each that brings the
// number of rows closer to fraction·n, at least one and at most all but one;
// Folds gives each group, the largest first, to the smallest fold.
//
// The errors of Split and Folds are rkhs.ErrOption for a single group and for
// fewer groups than folds; rkhs.ErrNotFinite for a NaN.
func Grouped[T comparable](groups []T, seed uint64) Splitter {
	code, distinct, err := encode("the group", groups)
	return Splitter{len(groups), clusters{code, sizesOf(code, len(distinct)), seed}, err}
}

// Ordered takes n rows as they stand, in order of time. Split tests on the last
// round(fraction·n). Folds cuts the rows into k+1 runs and tests on each but the
// first, after training on all before it. k folds need k+1 rows.
func Ordered(n int) Splitter {
	order := compute.Indices(max(n, 0))
	return Splitter{rows: len(order), by: newSequence(order, func(_, _ int) bool { return false })}
}

// ByTime is Ordered for rows in order of the times given for them, which may
// count in any unit. Rows of one time stay together: where a cut would part them
// it is moved to the nearest that does not.
//
// The errors of Split and Folds are rkhs.ErrOption for too few different times;
// rkhs.ErrNotFinite for a NaN or an infinity.
func ByTime(times []float64) Splitter {
	for i, t := range times {
		if t-t != 0 {
			return Splitter{rows: len(times), err: fmt.Errorf("the time of row %d is %v: %w", i, t, rkhs.ErrNotFinite)}
		}
	}
	order := sortedBy(times)
	return Splitter{rows: len(times), by: newSequence(order, func(a, b int) bool { return times[a] == times[b] })}
}

// Split returns the rows to train on and those to test on, which are a fraction
// of all or about that: none if it is 0, or if it rounds to none in Random and
// the ordered kinds. The rows come in random order, or in that of time. The
// error is rkhs.ErrOption unless 0 <= fraction < 1, rkhs.ErrEmpty if there are no
// rows, or of the kind that the constructor names. O(n), with times O(n·log n).
func (s Splitter) Split(fraction float64) (train, test []int, err error) {
	if err = s.check(); err == nil && !(0 <= fraction && fraction < 1) {
		err = fmt.Errorf("fraction = %v, want 0 <= fraction < 1: %w", fraction, rkhs.ErrOption)
	}
	if err == nil {
		train, test, err = s.by.split(fraction)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("dataset: split: %w", err)
	}
	return train, test, nil
}

// Folds returns the k divisions of a k-fold cross-validation: each row is tested
// on in one of them and trained on in the others (but see Ordered). The error is
// rkhs.ErrOption unless 2 <= k <= n, rkhs.ErrEmpty if there are no rows, or of the
// kind that the constructor names. O(n·k).
func (s Splitter) Folds(k int) ([]Fold, error) {
	err := s.check()
	if err == nil && (k < 2 || k > s.rows) {
		err = fmt.Errorf("%d folds of %d rows, want 2 or more and no more than rows: %w", k, s.rows, rkhs.ErrOption)
	}
	var folds []Fold
	if err == nil {
		folds, err = s.by.folds(k)
	}
	if err != nil {
		return nil, fmt.Errorf("dataset: folds: %w", err)
	}
	return folds, nil
}

func (s Splitter) check() error {
	if s.err == nil && s.rows == 0 {
		return fmt.Errorf("no rows: %w", rkhs.ErrEmpty)
	}
	return s.err
}

// dealt returns the k folds of rows, in the order given, of which fold[r] is to
// test on row r.
func dealt(order, fold []int, k int) []Fold {
	folds := make([]Fold, k)
	for _, r := range order {
		for i := range folds {
			if f := &folds[i]; i == fold[r] {
				f.Test = append(f.Test, r)
			} else {
				f.Train = append(f.Train, r)
			}
		}
	}
	return folds
}

// encode numbers values by the distinct ones among them, in the order in which
// they first come.
func encode[T comparable](name string, values []T) (code []int, distinct []T, err error) {
	seen := make(map[T]int)
	code = make([]int, len(values))
	for i, v := range values {
		if v != v {
			return nil, nil, fmt.Errorf("%s of row %d is %v: %w", name, i, v, rkhs.ErrNotFinite)
		}
		if _, ok := seen[v]; !ok {
			seen[v] = len(distinct)
			distinct = append(distinct, v)
		}
		code[i] = seen[v]
	}
	return code, distinct, nil
}

func sizesOf(code []int, count int) []int {
	sizes := make([]int, count)
	for _, c := range code {
		sizes[c]++
	}
	return sizes
}
