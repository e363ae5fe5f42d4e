package doublysgd

import (
	"fmt"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/loss"
)

// units are the offset and the unit of each output: a model learns
// (y − offset)/unit and predicts offset + unit·f.
type units struct{ offset, unit []float64 }

// unitsOf returns the units of targets: for a regression the median and 1.4826
// times the median absolute deviation, for the targets ±1 of classes their mean
// if the loss is squared or the squared hinge, and none for other losses of a label.
func (s *settings) unitsOf(y compute.Matrix) units {
	u := units{make([]float64, y.Cols), make([]float64, y.Cols)}
	for o := range y.Cols {
		u.unit[o] = 1
		values := make([]float64, y.Rows)
		for i := range values {
			values[i] = y.Data[i*y.Stride+o]
		}
		switch {
		case s.classes == 0:
			u.offset[o], u.unit[o] = standard(values)
		case loss.Quadratic(s.Loss) || likeSquared(s.Loss):
			u.offset[o] = meanOf(values)
		}
	}
	return u
}

// standard returns the median of v, and 1.4826 times the median absolute
// deviation from it, or where that is zero the mean one, or 1.
func standard(v []float64) (centre, unit float64) {
	centre = medianOf(v)
	for i, x := range v {
		v[i] = math.Abs(x - centre)
	}
	unit = 1.4826 * medianOf(v)
	if unit == 0 {
		unit = meanOf(v)
	}
	if unit == 0 || !finite(unit) || !finite(1/unit) {
		unit = 1
	}
	return centre, unit
}

// medianOf sorts v; of an even number of elements it takes the mean of the two
// in the middle.
func medianOf(v []float64) float64 {
	slices.Sort(v)
	n := len(v)
	return v[(n-1)/2]/2 + v[n/2]/2
}

func meanOf(v []float64) float64 {
	m := 0.0
	for i, x := range v {
		m += (x - m) / float64(i+1)
	}
	return m
}

// standardise returns (y − offset)/unit.
func (u units) standardise(y compute.Matrix) compute.Matrix {
	z := compute.NewMatrix(y.Rows, y.Cols)
	for i := range y.Rows {
		for o, v := range row(y, i) {
			z.Data[i*z.Stride+o] = (v - u.offset[o]) / u.unit[o]
		}
	}
	return z
}

// restore replaces f by offset + unit·f.
func (u units) restore(f compute.Matrix) {
	for i := range f.Rows {
		for o, v := range row(f, i) {
			f.Data[i*f.Stride+o] = u.offset[o] + u.unit[o]*v
		}
	}
}

// outputsFor is the number of outputs for so many classes under a loss.
func outputsFor(l loss.Loss, classes int) int {
	if _, multi := l.(loss.Multiclass); !multi && classes == 2 {
		return 1
	}
	return classes
}

// targets returns the targets ±1 of class indices: one column for two classes
// under a scalar loss, and one column a class otherwise.
func (s *settings) targets(class []int) compute.Matrix {
	return door.Targets(class, outputsFor(s.Loss, s.classes))
}

// risk returns the loss of targets in their units: numbers, ±1, or class indices
// for a Multiclass loss, and of a classification the class indices.
func (s *settings) risk(y compute.Matrix, class []int, u units) *risk {
	if s.classes == 0 {
		return &risk{scalar: s.Loss.(loss.Scalar), y: u.standardise(y), workers: s.Workers}
	}
	k := &risk{class: class, offset: u.offset, workers: s.Workers}
	if m, ok := s.Loss.(loss.Multiclass); ok {
		k.multi = m
		return k
	}
	k.scalar, k.y = s.Loss.(loss.Scalar), y
	return k
}

// checkTargets returns rkhs.ErrDiverged if targets are too large to be
// standardised and squared.
func checkTargets(k *risk) error {
	for i := range k.y.Rows {
		for o, v := range row(k.y, i) {
			if !(math.Abs(v) <= 1e100) {
				return fmt.Errorf("doublysgd: the target at row %d, column %d is %v in units of the spread: %w", i, o, v, rkhs.ErrDiverged)
			}
		}
	}
	return nil
}
