package search

import "github.com/rkhs-go/rkhs/internal/compute"

// HeldOut divides rows into training rows and held-out rows. order lists the rows, usually
// in random order. class holds the class of each row, or is nil. Of the n rows of each
// class, or of all rows, the last count(n) in order are held out. Both results keep the
// given order.
func HeldOut(order, class []int, count func(rows int) int) (learn, heldOut []int) {
	classOf := func(row int) int {
		if class == nil {
			return 0
		}
		return class[row]
	}
	kept := map[int]int{} // by class: training rows still to assign
	for _, row := range order {
		kept[classOf(row)]++
	}
	for c, rows := range kept {
		kept[c] = rows - count(rows)
	}
	for _, row := range order {
		if c := classOf(row); kept[c] > 0 {
			kept[c]--
			learn = append(learn, row)
		} else {
			heldOut = append(heldOut, row)
		}
	}
	return learn, heldOut
}

// HeldOutGroups is HeldOut for groups of equal rows of x with equal targets y. It does not
// divide groups, so no held-out row has a copy among the training rows. count is in groups.
func HeldOutGroups(x compute.Points, y compute.Matrix, order, class []int, count func(groups int) int) (learn, heldOut []int) {
	first := x.FirstCopies(y, class)
	learn, heldOut = HeldOut(compute.Distinct(order, first), class, count)
	return compute.WithCopies(learn, order, first), compute.WithCopies(heldOut, order, first)
}
