package polk

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/linalg"
)

const (
	// relativeJitter and relativeAdmission are the diagonal that is added to the
	// Gram matrix and the squared distance from the span of the dictionary up to
	// which a point is folded into it, in units of k(x, x). The second must be well
	// above the first, which a duplicate has for its distance twice.
	relativeJitter    = 1e-8
	relativeAdmission = 1e-7
)

// dictionary is a function f(x) = Σ_j k(d_j, x)·w_j with a vector w_j for each
// point d_j of the dictionary, and the Cholesky factor of the Gram matrix of
// these points.
//
// Points lie one after the other in memory, as the kernel wants them, but a point
// that goes is replaced by the last one: slot[j] is the place of the point that
// comes j-th in the factor and in the weights.
type dictionary struct {
	eval    kernel.Evaluator
	factor  *linalg.Cholesky
	inputs  int // d
	outputs int // C, the columns of the weights that decide which points go
	width   int // columns of the weights: C, or 2C with the averaged function
	points  []float64
	slot    []int
	weights []float64 // by rows

	scratch compute.Matrix
}

// newDictionary returns the zero function. Scale is the typical k(x, x).
func newDictionary(eval kernel.Evaluator, inputs, outputs, width int, scale float64) *dictionary {
	e := &dictionary{eval: eval, factor: linalg.NewCholesky(relativeJitter * scale), inputs: inputs, outputs: outputs, width: width}
	e.factor.TrackInverseDiag()
	return e
}

// order returns the number M of points.
func (e *dictionary) order() int { return len(e.slot) }

// weight returns the weights of point j.
func (e *dictionary) weight(j int) []float64 {
	return e.weights[j*e.width : (j+1)*e.width : (j+1)*e.width]
}

// place returns the point in a slot.
func (e *dictionary) place(s int) []float64 { return e.points[s*e.inputs : (s+1)*e.inputs] }

// matrix returns the points as they lie in memory.
func (e *dictionary) matrix() compute.Matrix {
	return compute.Matrix{Rows: e.order(), Cols: e.inputs, Stride: e.inputs, Data: e.points}
}

// cross sets dst = K(X, D), n×M, with the columns in the order of the factor.
func (e *dictionary) cross(dst, x compute.Matrix) {
	k := reshape(&e.scratch, x.Rows, e.order())
	evaluate(e.eval, k, x, e.matrix())
	for i := range x.Rows {
		to, from := compute.Row(dst, i), compute.Row(k, i)
		for j, s := range e.slot {
			to[j] = from[s]
		}
	}
}

// scores sets dst = K·W for the first columns of the weights, where k is n×M.
func (e *dictionary) scores(dst, k compute.Matrix) {
	for i := range dst.Rows {
		clear(compute.Row(dst, i))
	}
	switch {
	case e.order() == 0:
	case dst.Rows*e.order()*dst.Cols > fewProducts:
		w := compute.Matrix{Rows: e.order(), Cols: dst.Cols, Stride: e.width, Data: e.weights}
		compute.MulNN(dst, k, w, e.eval.Workers)
	default:
		for i := range dst.Rows {
			f := compute.Row(dst, i)
			for j, v := range compute.Row(k, i) {
				floats.AddScaled(f, v, e.weight(j)[:len(f)])
			}
		}
	}
}

// append adds a point with its weights at the end; the factor has it already.
func (e *dictionary) append(x, w []float64) {
	e.slot = append(e.slot, e.order())
	e.points = append(e.points, x...)
	e.weights = append(e.weights, w...)
}

// remove drops point j, which the factor has no more.
func (e *dictionary) remove(j int) {
	hole, last := e.slot[j], e.order()-1
	copy(e.place(hole), e.place(last))
	e.slot[slices.Index(e.slot, last)] = hole
	e.slot = slices.Delete(e.slot, j, j+1)
	e.points = e.points[:last*e.inputs]
	e.weights = slices.Delete(e.weights, j*e.width, (j+1)*e.width)
}

// shrink multiplies the function by s, but not its average.
func (e *dictionary) shrink(s float64) {
	for j := range e.order() {
		floats.Scale(s, e.weight(j)[:e.outputs])
	}
}

// average moves the averaged function by the fraction g towards the function.
func (e *dictionary) average(g float64) {
	if e.width == e.outputs {
		return
	}
	for j := range e.order() {
		w := e.weight(j)
		for c, v := range w[:e.outputs] {
			w[e.outputs+c] += g * (v - w[e.outputs+c])
		}
	}
}

// export copies the points and the last outputs columns of their weights.
func (e *dictionary) export() (points, weights compute.Matrix) {
	points, weights = compute.NewMatrix(e.order(), e.inputs), compute.NewMatrix(e.order(), e.outputs)
	for j, s := range e.slot {
		copy(compute.Row(points, j), e.place(s))
		copy(compute.Row(weights, j), e.weight(j)[e.width-e.outputs:])
	}
	return points, weights
}

// widen gives the function another output, which is zero.
func (e *dictionary) widen() {
	blocks := e.width / e.outputs
	var wider []float64
	for j := range e.order() {
		w := e.weight(j)
		for b := range blocks {
			wider = append(append(wider, w[b*e.outputs:(b+1)*e.outputs]...), 0)
		}
	}
	e.weights = wider
	e.outputs++
	e.width += blocks
}
