package search

import "github.com/rkhs-go/rkhs/internal/compute"

// withoutCopies removes rows from order that repeat an earlier row and its targets: the
// copy would make leave-one-out prediction trivial. Equal rows with different targets
// stay, because they show the noise of the data.
func withoutCopies(x compute.Points, y compute.Matrix, labels, order []int) []int {
	if labels == nil {
		y = compute.Pick(y, order)
	}
	first := x.Pick(order).FirstCopies(y, compute.PickOf(labels, order))
	return compute.PickOf(order, compute.Distinct(compute.Indices(len(order)), first))
}
