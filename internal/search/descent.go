package search

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// descent minimises a smooth function by L-BFGS (Nocedal and Wright, "Numerical
// optimization", 2006, algorithm 7.5) with a backtracking line search.
type descent struct {
	value   func(at, gradient []float64) float64 // +Inf where undefined
	steps   int                                  // maximum
	enough  float64                              // smallest gain that counts as progress
	longest float64                              // maximum change of a coordinate in one step
	first   float64                              // maximum change of a coordinate in the first step
	stopped func() bool
}

const (
	memory   = 10 // number of stored steps
	patience = 2  // consecutive steps with too little gain
)

// minimise overwrites at with the best point found and returns its value.
func (d descent) minimise(at []float64) float64 {
	n := len(at)
	gradient, next, nextGradient := make([]float64, n), make([]float64, n), make([]float64, n)
	value := d.value(at, gradient)
	var moves, changes [][]float64
	little := 0
	for range d.steps {
		if math.IsInf(value, 1) || d.stopped() {
			break
		}
		direction := newtonDirection(gradient, moves, changes)
		slope := dot(direction, gradient)
		if !(slope < 0) {
			break
		}
		size := floats.Norm(direction, math.Inf(1))
		length := min(1, d.longest/size)
		if len(moves) == 0 { // a gradient gives no step length
			length = d.first / size
		}
		after := math.Inf(1)
		for range 8 {
			floats.AddScaledTo(next, at, length, direction)
			after = d.value(next, nextGradient)
			if after <= value+1e-4*length*slope || d.stopped() {
				break
			}
			length /= 3
		}
		if !(after < value) {
			break
		}
		move, change := floats.SubTo(make([]float64, n), next, at), floats.SubTo(make([]float64, n), nextGradient, gradient)
		if dot(move, change) > 1e-12*dot(change, change) {
			moves, changes = append(moves, move), append(changes, change)
			if len(moves) > memory {
				moves, changes = moves[1:], changes[1:]
			}
		}
		gain := value - after
		copy(at, next)
		copy(gradient, nextGradient)
		value = after
		if gain >= d.enough {
			little = 0
		} else if little++; little == patience {
			break
		}
	}
	return value
}

// dot rounds each product and adds in order, so that results are equal on every processor.
func dot(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += float64(v * b[i])
	}
	return s
}

// newtonDirection returns −H·gradient, where H approximates the inverse Hessian from the
// last steps and the corresponding changes of the gradient.
func newtonDirection(gradient []float64, moves, changes [][]float64) []float64 {
	q := make([]float64, len(gradient))
	floats.ScaleTo(q, -1, gradient)
	along := make([]float64, len(moves))
	for i := len(moves) - 1; i >= 0; i-- {
		along[i] = dot(moves[i], q) / dot(moves[i], changes[i])
		floats.AddScaled(q, -along[i], changes[i])
	}
	if last := len(moves) - 1; last >= 0 {
		floats.Scale(dot(moves[last], changes[last])/dot(changes[last], changes[last]), q)
	}
	for i := range moves {
		back := dot(changes[i], q) / dot(moves[i], changes[i])
		floats.AddScaled(q, along[i]-back, moves[i])
	}
	return q
}
