package search

import "github.com/rkhs-go/rkhs/internal/compute"

// Split divides rows into training rows and held-out rows. Some rows may be in neither.
type Split struct{ Learn, Check []int }

// Values in place of a fold number: always a training row, or in no split.
const always, left = -1, -2

// ClassFolds divides rows into k folds with balanced classes and returns a split for
// each fold that has rows. order lists the rows, usually in random order. If there are
// more than most rows, it uses about most of them in proportion to the classes, but at
// least k rows of each class. The only row of a class is always a training row. If first is not nil, it
// lists the first copy of each row, and all copies are in the same fold.
func ClassFolds(order, class, first []int, k, most int) []Split {
	fold := dealClasses(compute.Distinct(order, first), class, k, most)
	for i, j := range first {
		fold[i] = fold[j]
	}
	var list []Split
	for number := range k {
		var s Split
		for i, v := range fold {
			if v == number {
				s.Check = append(s.Check, i)
			} else if v != left {
				s.Learn = append(s.Learn, i)
			}
		}
		if len(s.Check) > 0 {
			list = append(list, s)
		}
	}
	return list
}

func dealClasses(order, class []int, k, most int) []int {
	n, count := len(order), countOf(class)
	fold, seen, all := make([]int, len(class)), make([]int, count), make([]int, count)
	for _, i := range order {
		all[class[i]]++
	}
	for _, i := range order {
		c := class[i]
		switch {
		case seen[c] >= max(k, all[c]*most/max(n, most)):
			fold[i] = left
		case all[c] == 1:
			fold[i] = always
		default:
			fold[i] = (seen[c] + c) % k
		}
		seen[c]++
	}
	return fold
}
