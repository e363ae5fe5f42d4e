package choose

import "github.com/rkhs-go/rkhs/internal/compute"

// HeldOut divides rows into those to learn from and those held out, which choices are
// made on. order lists the rows, as a rule at random, and class is the class of each
// row, or nil where there are none. Of each class, or of all rows, those last in the
// order are held out, as many as count says of their number. Both lists are in the
// given order.
func HeldOut(order, class []int, count func(rows int) int) (learn, heldOut []int) {
	classOf := func(row int) int {
		if class == nil {
			return 0
		}
		return class[row]
	}
	kept := map[int]int{} // of each class, the rows that are still to be learned from
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

// HeldOutGroups is HeldOut of groups of equal rows of x with targets y, which stay together: a held-out row is not told by its copy.
// The count is of groups.
func HeldOutGroups(x compute.Points, y compute.Matrix, order, class []int, count func(groups int) int) (learn, heldOut []int) {
	first := x.FirstCopies(y, class)
	learn, heldOut = HeldOut(compute.Distinct(order, first), class, count)
	return compute.WithCopies(learn, order, first), compute.WithCopies(heldOut, order, first)
}
