package dataset

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// A Splitter divides the rows 0 … n−1 of a table into training and test rows. Its constructor sets
// which rows it keeps together:
//
//	Random      no restriction
//	Stratified  each label is in both parts in proportion
//	Grouped     a group is in one part
//	Ordered     training rows precede test rows
//	ByTime      training rows are earlier than test rows
//
// Split and Folds return the errors of the constructor. The result depends only on the rows and the
// seed.
type Splitter struct {
	rows int
	by   division
	err  error
}

// Fold is one division of a cross-validation, as row numbers.
type Fold struct {
	Train, Test []int
}

// division implements Split and Folds for valid arguments.
type division interface {
	split(fraction float64) (train, test []int, err error)
	folds(k int) ([]Fold, error)
}

// Random divides n rows at random. Split returns round(fraction·n) test rows, at most n−1. Folds
// differ in size by at most one.
func Random(n int, seed uint64) Splitter {
	n = max(n, 0)
	return Splitter{rows: n, by: strata{class: make([]int, n), sizes: []int{n}, seed: seed}}
}

// Stratified divides rows at random with the same proportions of labels in both parts. Split
// returns round(fraction·m) of the m rows of a label, between 1 and m−1. Folds differ by at most
// one row per label, and by one in total.
//
// Errors are rkhs.ErrLabels for a single label, a label with one row, and a label with fewer rows
// than folds; rkhs.ErrNotFinite for a NaN.
func Stratified[T comparable](labels []T, seed uint64) Splitter {
	class, distinct, err := encode("the label", labels)
	name := func(c int) string { return fmt.Sprint(distinct[c]) }
	return Splitter{len(labels), strata{class, sizesOf(class, len(distinct)), seed, name}, err}
}

// Grouped divides groups of rows at random. Split visits the groups in random order and tests on
// each group that brings the number of test rows closer to fraction·n, at least one group and at
// most all but one. Folds adds the groups, the largest first, to the smallest fold.
//
// Errors are rkhs.ErrOption for a single group and for fewer groups than folds; rkhs.ErrNotFinite
// for a NaN.
func Grouped[T comparable](groups []T, seed uint64) Splitter {
	code, distinct, err := encode("the group", groups)
	return Splitter{len(groups), clusters{code, sizesOf(code, len(distinct)), seed}, err}
}

// Ordered divides n rows that are in order of time. Split tests on the last round(fraction·n). Folds
// cuts the rows into k+1 runs; fold i trains on the first i runs and tests on the next.
func Ordered(n int) Splitter {
	order := compute.Indices(max(n, 0))
	return Splitter{rows: len(order), by: newSequence(order, nil)}
}

// ByTime is Ordered for rows sorted by their times, in any unit. It does not divide rows of equal
// time: cuts move to the nearest change of time.
//
// Errors are rkhs.ErrOption for too few different times; rkhs.ErrNotFinite for a NaN or an infinity.
func ByTime(times []float64) Splitter {
	for i, t := range times {
		if t-t != 0 {
			return Splitter{rows: len(times), err: fmt.Errorf("the time of row %d is %v: %w", i, t, rkhs.ErrNotFinite)}
		}
	}
	return Splitter{rows: len(times), by: newSequence(sortedBy(times), times)}
}

// Split returns the training rows and about the given fraction of test rows, in random order or in
// order of time. Errors are rkhs.ErrOption unless 0 <= fraction < 1, rkhs.ErrEmpty for no rows, and
// the errors of the constructor. O(n), for ByTime O(n·log n).
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

// Folds returns the k divisions of a k-fold cross-validation. Each row is a test row of one fold,
// except in Ordered and ByTime. Errors are rkhs.ErrOption unless 2 <= k <= n, rkhs.ErrEmpty for no
// rows, and the errors of the constructor. O(n·k).
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

// divide returns n rows in random order as training rows and test rows.
func divide(seed uint64, n int, tested func(row int) bool) (train, test []int) {
	for _, r := range rng.New(seed, "dataset split", 0).Perm(n) {
		if tested(r) {
			test = append(test, r)
		} else {
			train = append(train, r)
		}
	}
	return train, test
}

// foldsOf returns k folds of rows in the given order; fold[r] tests on row r.
func foldsOf(order, fold []int, k int) []Fold {
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

// encode numbers the distinct values in the order of their first occurrence.
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
