package alignment

import (
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
)

// classes are labels, and for each row the index of its own.
type classes struct {
	labels []int // ascending
	index  []int
}

func newClasses(y compute.Matrix) (*classes, error) {
	labels, index, err := door.Labels("alignment", y)
	if err != nil {
		return nil, err
	}
	return &classes{labels, index}, nil
}

// targets returns a column for each class, 1 in its rows and 0 in others; the
// matrix of two such columns is that of −1 and 1, but for a factor and constants
// that centring removes, and has one column.
func (c *classes) targets(index []int) compute.Matrix {
	if len(c.labels) == 2 {
		y := compute.NewMatrix(len(index), 1)
		for i, k := range index {
			y.Data[i] = float64(2*k - 1)
		}
		return y
	}
	y := compute.NewMatrix(len(index), len(c.labels))
	for i, k := range index {
		row(y, i)[k] = 1
	}
	return y
}
