package selection

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
)

// rows are what candidates learn from, and what belongs to them.
type rows struct {
	x       compute.Points
	y       compute.Matrix
	weights compute.Weights // nil without
	classes []int           // of labels, the index of each; else nil
}

// newRows lets in rows and targets or labels. Rows of weight zero stay, so that the numbers of
// rows are those of the caller.
func newRows(x, y mat.Matrix, labels bool) (r rows, err error) {
	inner, weights, err := door.Weights(pkg, "x", x)
	if err != nil {
		return r, err
	}
	r.weights = weights
	if r.x, err = door.Points(pkg, "x", inner); err != nil {
		return r, err
	}
	if r.y, err = door.View(pkg, "y", y); err != nil {
		return r, err
	}
	if r.x.Rows != r.y.Rows {
		return r, fmt.Errorf("selection: x has %d rows, y has %d: %w", r.x.Rows, r.y.Rows, rkhs.ErrShape)
	}
	if labels {
		_, r.classes, err = door.Labels(pkg, r.y)
	}
	return r, err
}

// train returns a copy of the listed rows, with their weights, to learn from.
func (r *rows) train(list []int) (x, y mat.Matrix) {
	return r.weighted(door.Matrix(r.x.Pick(list)), list), matrixOf(compute.Pick(r.y, list))
}

// test returns a copy of the listed rows to score, and what they are compared with.
func (r *rows) test(list []int) (x, y mat.Matrix) {
	return door.Matrix(r.x.Pick(list)), r.weighted(matrixOf(compute.Pick(r.y, list)), list)
}

func (r *rows) weighted(m mat.Matrix, list []int) mat.Matrix {
	if r.weights == nil {
		return m
	}
	return rkhs.Weighted{Matrix: m, Weights: r.weights.Pick(list)}
}

func matrixOf(m compute.Matrix) mat.Matrix { return door.Matrix(compute.DensePoints(m)) }
