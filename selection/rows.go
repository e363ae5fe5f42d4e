package selection

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
)

// rows are the rows of a search with their targets and weights.
type rows struct {
	x       compute.Points
	y       compute.Matrix
	weights compute.Weights // may be nil
	classes []int           // the index of each label, or nil
}

// newRows validates rows and targets or labels. It keeps rows of weight zero, so that row numbers
// do not change.
func newRows(x, y mat.Matrix, labels bool) (r rows, err error) {
	inner, weights, err := input.Weights(pkg, "x", x)
	if err != nil {
		return r, err
	}
	r.weights = weights
	if r.x, err = input.Points(pkg, "x", inner); err != nil {
		return r, err
	}
	if r.y, err = input.View(pkg, "y", y); err != nil {
		return r, err
	}
	if r.x.Rows != r.y.Rows {
		return r, fmt.Errorf("selection: x has %d rows, y has %d: %w", r.x.Rows, r.y.Rows, rkhs.ErrShape)
	}
	if labels {
		_, r.classes, err = input.Labels(pkg, r.y)
	}
	return r, err
}

// train returns a copy of the listed rows with their weights, and of their targets.
func (r *rows) train(list []int) (x, y mat.Matrix) {
	x, y = r.pick(list)
	return r.weighted(x, list), y
}

// test returns a copy of the listed rows, and of their targets with the weights.
func (r *rows) test(list []int) (x, y mat.Matrix) {
	x, y = r.pick(list)
	return x, r.weighted(y, list)
}

func (r *rows) pick(list []int) (x, y mat.Matrix) {
	return input.Matrix(r.x.Pick(list)), input.Matrix(compute.DensePoints(compute.Pick(r.y, list)))
}

func (r *rows) weighted(m mat.Matrix, list []int) mat.Matrix {
	if r.weights == nil {
		return m
	}
	return rkhs.Weighted{Matrix: m, Weights: r.weights.Pick(list)}
}
