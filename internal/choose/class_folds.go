package choose

import "github.com/rkhs-go/rkhs/internal/compute"

// Split is a division of rows into those to learn from and those to judge by. Rows may be in
// neither.
type Split struct{ Learn, Check []int }

// What a row is in place of its fold: always learned from, or left out.
const always, left = -1, -2

// ClassFolds deals rows out to k folds, those of each class evenly, in the order given, as a
// rule at random, and returns a split for each fold that has rows. Of more rows than most it
// deals that many out, and leaves out the others, but not of a class of which there are less
// than k. The only row of a class is always learned from. first are the first copies of equal rows, or nil: copies
// are in one fold.
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
