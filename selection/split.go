package selection

import (
	"fmt"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// split is one division of the rows, the same for all candidates.
type split struct {
	dataset.Fold
	order []int // places in Train, of which each leading part is a sample of all
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
			if err := checkFold(f, r.y.Rows); err != nil {
				return nil, err
			}
			list = append(list, split{Fold: f, order: r.order(f.Train, rng.Hash(o.Seed, "selection rungs", uint64(len(list))))})
		}
	}
	return list, nil
}

// folds returns those of one repeat.
func (o *Options) folds(r *rows, seed uint64) ([]dataset.Fold, error) {
	s := dataset.Random(r.y.Rows, seed)
	switch {
	case o.Splitter != nil:
		s = o.Splitter(seed)
	case r.classes != nil:
		s = dataset.Stratified(compute.Contiguous(r.y), seed) // labels, which errors name
	}
	if o.HeldOut == 0 {
		return s.Folds(o.Folds)
	}
	train, test, err := s.Split(o.HeldOut)
	return []dataset.Fold{{Train: train, Test: test}}, err
}

// checkFold refuses one of no rows, and one of the Splitter of another table.
func checkFold(f dataset.Fold, n int) error {
	for _, part := range []struct {
		name string
		rows []int
	}{{"learn from", f.Train}, {"score", f.Test}} {
		if len(part.rows) == 0 {
			return fmt.Errorf("selection: the Splitter leaves no rows to %s: %w", part.name, rkhs.ErrOption)
		}
		if last := slices.Max(part.rows); last >= n {
			return fmt.Errorf("selection: the Splitter has row %d of %d rows: %w", last, n, rkhs.ErrShape)
		}
	}
	return nil
}

// order returns the places of the listed rows in random order, of labels the first of each,
// without which it would not be learned, and then all nearly in their proportions.
func (r *rows) order(list []int, seed uint64) []int {
	if r.classes == nil {
		return choose.SampleOrder(len(list), len(list), nil, seed)
	}
	classes := make([]int, len(list))
	for i, row := range list {
		classes[i] = r.classes[row]
	}
	var first, rest []int
	seen := map[int]bool{}
	for _, place := range choose.SampleOrder(len(list), len(list), classes, seed) {
		if c := classes[place]; !seen[c] {
			seen[c] = true
			first = append(first, place)
		} else {
			rest = append(rest, place)
		}
	}
	return append(first, rest...)
}

// train returns so many of the rows to learn from: those of fewer are among those of more. They
// are in the order of the split.
func (s *split) train(count int) []int {
	places := slices.Sorted(slices.Values(s.order[:count]))
	for i, place := range places {
		places[i] = s.Train[place]
	}
	return places
}
