package main

import (
	"iter"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/polk"
)

const (
	classes, modes = 5, 3
	spread         = 0.2 // standard deviation of a mode
	batch          = 32  // rows per step
)

func newSource(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// mixture has the modes of each class.
type mixture [classes][modes][2]float64

func newMixture(seed uint64) (m mixture) {
	r := newSource(seed)
	for c := range m {
		sin, cos := math.Sincos(2 * math.Pi * float64(c) / classes)
		for k := range m[c] {
			m[c][k] = [2]float64{cos + r.NormFloat64(), sin + r.NormFloat64()}
		}
	}
	return m
}

// draw draws rows and their classes.
func (m mixture) draw(rows int, r *rand.Rand) (x, labels *mat.Dense) {
	x, labels = mat.NewDense(rows, 2, nil), mat.NewDense(rows, 1, nil)
	for i := range rows {
		c := r.IntN(classes)
		mode := m[c][r.IntN(modes)]
		x.SetRow(i, []float64{mode[0] + spread*r.NormFloat64(), mode[1] + spread*r.NormFloat64()})
		labels.Set(i, 0, float64(c))
	}
	return x, labels
}

// bayes returns the classes with the largest density. No rule has a lower error.
func (m mixture) bayes(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	best := mat.NewDense(n, 1, nil)
	for i := range n {
		largest := -1.0
		for c := range m {
			density := 0.0
			for _, mode := range m[c] {
				d := math.Hypot(x.At(i, 0)-mode[0], x.At(i, 1)-mode[1]) / spread
				density += math.Exp(-d * d / 2)
			}
			if density > largest {
				largest = density
				best.Set(i, 0, float64(c))
			}
		}
	}
	return best
}

// stream draws the given number of rows in batches.
func (m mixture) stream(rows int, seed uint64) iter.Seq2[polk.Batch, error] {
	return func(yield func(polk.Batch, error) bool) {
		r := newSource(seed)
		for from := 0; from < rows; from += batch {
			x, labels := m.draw(min(batch, rows-from), r)
			if !yield(polk.Batch{X: x, Y: labels}, nil) {
				return
			}
		}
	}
}
