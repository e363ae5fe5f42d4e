package selection

import (
	"fmt"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/search"
)

// split is a division of the rows for all candidates.
type split struct {
	dataset.Fold
	order []int // indices in Train; every prefix is a random sample
}

// splits returns the divisions of all repeats.
func (o *Options) splits(r *rows) ([]split, error) {
	var list []split
	for repeat := range o.Repeats {
		folds, err := o.folds(r, o.Seed+uint64(repeat))
		if err != nil {
			return nil, fmt.Errorf("selection: %w", err)
		}
		for _, f := range folds {
			if err := checkRows("train on", f.Train, r.y.Rows); err != nil {
				return nil, err
			}
			if err := checkRows("score", f.Test, r.y.Rows); err != nil {
				return nil, err
			}
			list = append(list, split{Fold: f, order: r.order(f.Train, rng.Hash(o.Seed, "selection rungs", uint64(len(list))))})
		}
	}
	return list, nil
}

// folds returns the divisions of one repeat.
func (o *Options) folds(r *rows, seed uint64) ([]dataset.Fold, error) {
	s := dataset.Random(r.y.Rows, seed)
	switch {
	case o.Splitter != nil:
		s = o.Splitter(seed)
	case r.classes != nil:
		s = dataset.Stratified(compute.Contiguous(r.y), seed) // by labels, for the errors
	}
	if o.HeldOut == 0 {
		return s.Folds(o.Folds)
	}
	train, test, err := s.Split(o.HeldOut)
	return []dataset.Fold{{Train: train, Test: test}}, err
}

// checkRows returns an error for no rows, and for rows of another table.
func checkRows(purpose string, list []int, n int) error {
	if len(list) == 0 {
		return fmt.Errorf("selection: the Splitter leaves no rows to %s: %w", purpose, rkhs.ErrOption)
	}
	if last := slices.Max(list); last >= n {
		return fmt.Errorf("selection: the Splitter has row %d of %d rows: %w", last, n, rkhs.ErrShape)
	}
	return nil
}

// order returns the indices of the listed rows in random order. With labels it begins with a row of
// each label, so that the first rung has all labels. The other rows follow nearly in proportion.
func (r *rows) order(list []int, seed uint64) []int {
	if r.classes == nil {
		return search.SampleOrder(len(list), len(list), nil, seed)
	}
	classes := compute.PickOf(r.classes, list)
	var first, rest []int
	seen := map[int]bool{}
	for _, i := range search.SampleOrder(len(list), len(list), classes, seed) {
		if c := classes[i]; !seen[c] {
			seen[c] = true
			first = append(first, i)
		} else {
			rest = append(rest, i)
		}
	}
	return append(first, rest...)
}

// train returns the training rows of a rung in the order of the split.
func (s *split) train(g rung) []int {
	indices := slices.Sorted(slices.Values(s.order[:g.rows(s)]))
	return compute.PickOf(s.Train, indices)
}

// rung is a stage of successive halving.
type rung struct {
	candidates int
	divisor    int // of the training rows
}

// rungs plans a search over candidates with at least the given number of training rows. With Eta, it
// has as many rungs as leave a candidate for the last and FirstRows rows for the first.
func (o *Options) rungs(candidates, rows int) []rung {
	count, divisor, eta := 1, 1, max(1, o.Eta)
	for o.Eta > 0 && divisor <= candidates/eta && rows/(divisor*eta) >= o.FirstRows {
		divisor *= eta
		count++
	}
	list := make([]rung, count)
	for i := range list {
		list[i] = rung{candidates: candidates, divisor: divisor}
		candidates = max(1, candidates/eta)
		divisor /= eta
	}
	return list
}

// rows returns the number of training rows of a split, rounded up.
func (g rung) rows(s *split) int { return int(math.Ceil(float64(len(s.Train)) / float64(g.divisor))) }
