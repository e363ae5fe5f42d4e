package choose

import "github.com/rkhs-go/rkhs/internal/compute"

// withoutCopies returns the order without rows that repeat an earlier one, targets and
// all: such a row, left out, is told by its copy. Where equal rows have different targets
// they are taken to be what the data is like, and all stay.
func withoutCopies(x compute.Points, y compute.Matrix, labels, order []int) []int {
	if labels == nil {
		y = compute.Pick(y, order)
	}
	first := x.Pick(order).FirstCopies(y, compute.PickOf(labels, order))
	return compute.PickOf(order, compute.Distinct(compute.Indices(len(order)), first))
}
