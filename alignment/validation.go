package alignment

import (
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// validated are the rows that were not learned from, and what machines of each C make of
// them.
type validated struct {
	rows     int
	machines [][]bool // wrong rows, for each C
	ridge    []bool   // wrong rows of ridge regression
}

// count returns the number of rows that are wrong.
func count(wrong []bool) int {
	n := 0
	for _, w := range wrong {
		if w {
			n++
		}
	}
	return n
}

// best returns the place of the C with the fewest errors, and their number.
func (v *validated) best() (at, errors int) {
	errors = math.MaxInt
	for t, wrong := range v.machines {
		if n := count(wrong); n < errors {
			at, errors = t, n
		}
	}
	return at, errors
}

// lead returns by how many errors ridge regression is behind the machines of the best C, and
// the standard error of that, from the rows that only one of them gets wrong.
func (v *validated) lead() (errors, standardError float64) {
	at, _ := v.best()
	ahead, behind := 0.0, 0.0
	for i, wrong := range v.machines[at] {
		switch {
		case v.ridge[i] && !wrong:
			ahead++
		case wrong && !v.ridge[i]:
			behind++
		}
	}
	errors = ahead - behind
	return errors, math.Sqrt(max(0, ahead+behind-errors*errors/float64(v.rows)))
}

// validate trains machines on rows and looks at others: those of the validation, or in
// folds, of at most so many rows in all. A regression takes part if it is given.
func (f *machines) validate(validation examples, most int, regression func(examples) (*ridge, float64), r *monitor.Monitor) (*validated, error) {
	v := &validated{machines: make([][]bool, len(f.list))}
	splits := f.splits(validation, most)
	for k, s := range splits {
		list, err := s.learn.trained(r)
		if err != nil {
			return nil, err
		}
		if r.Stopped() {
			return new(validated), nil
		}
		for t, wrong := range s.learn.wrong(list, s.check) {
			v.machines[t] = append(v.machines[t], wrong...)
		}
		if regression != nil {
			of, weight := regression(s.learn.examples)
			sol, err := of.exact(weight)
			if err != nil || sol == nil {
				return new(validated), err
			}
			v.ridge = append(v.ridge, wrongRows(of.predict(sol, s.check.x), s.check.class, door.Class)...)
		}
		v.rows += s.check.x.Rows
		_, errors := v.best()
		r.Report(rkhs.Progress{Phase: "validation", Done: k + 1, Total: len(splits), Iteration: k + 1, Objective: float64(errors) / float64(v.rows), Gap: math.NaN()})
	}
	return v, nil
}

// learnAndCheck is a division of rows.
type learnAndCheck struct {
	learn *machines
	check examples
}

// splits returns the rows with those of the validation, or folds.
func (f *machines) splits(validation examples, most int) []learnAndCheck {
	if validation.x.Rows > 0 {
		return []learnAndCheck{{f, validation}}
	}
	fold := f.folds(most)
	var list []learnAndCheck
	for k := range folds {
		var learn, check []int
		for i, v := range fold {
			if v == k {
				check = append(check, i)
			} else if v != left {
				learn = append(learn, i)
			}
		}
		if len(check) > 0 {
			part := *f
			part.examples = f.pick(learn)
			list = append(list, learnAndCheck{&part, f.pick(check)})
		}
	}
	return list
}

// folds of cross-validation.
const folds = 5

// What a row is in place of its fold: always learned from, or left out.
const always, left = -1, -2

// folds deals the rows of each class out, at random, so many at most in all but for five of
// each class. The only row of a class is always learned from.
func (f *machines) folds(most int) []int {
	n := f.x.Rows
	fold, seen, all := make([]int, n), make([]int, f.count), make([]int, f.count)
	for _, c := range f.class {
		all[c]++
	}
	for _, i := range rng.New(f.seed, "alignment folds", 0).Perm(n) {
		c := f.class[i]
		switch {
		case seen[c] >= max(folds, all[c]*most/max(n, most)):
			fold[i] = left
		case all[c] == 1:
			fold[i] = always
		default:
			fold[i] = (seen[c] + c) % folds
		}
		seen[c]++
	}
	return fold
}
