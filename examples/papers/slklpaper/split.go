package slklpaper

import (
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/examples/papers/report"
	"github.com/rkhs-go/rkhs/internal/synthetic"
)

// split is the data of one run. Rows are in random order, so the first M training rows are
// uniformly drawn landmarks.
type split struct {
	train, test *dataset.Set
	clean       []float64 // test targets without noise, if known
}

// source returns the data for a seed.
type source func(seed uint64) (split, error)

// sincSource draws 1000 training rows and 1000 test rows.
func sincSource(seed uint64) (split, error) {
	const rows = 1000
	all, clean := synthetic.Sinc(2*rows, seed)
	order := make([]int, 2*rows)
	for i := range order {
		order[i] = i
	}
	return split{all.Select(order[:rows]), all.Select(order[rows:]), clean[rows:]}, nil
}

// fileSource splits a file at random and standardises the inputs.
func fileSource(s *report.Settings, name string, tests int) (source, error) {
	all, err := s.Load(name)
	if err != nil {
		return nil, err
	}
	return func(seed uint64) (split, error) {
		n := len(all.Y)
		train, test, err := dataset.Random(n, seed).Split(float64(tests) / float64(n))
		if err != nil {
			return split{}, err
		}
		d := split{train: all.Select(train), test: all.Select(test)}
		_, err = dataset.Standardize(d.train.X, d.test.X)
		return d, err
	}, nil
}
