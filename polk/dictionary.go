package polk

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/linalg"
)

const (
	// relativeJitter is the jitter on the diagonal of the Gram matrix. relativeAdmission is
	// the largest squared distance from the span of the dictionary of a point that is folded
	// into it. Both are in units of k(x, x). A duplicate has twice the jitter as its squared
	// distance, so admission must be much larger.
	relativeJitter    = 1e-8
	relativeAdmission = 1e-7
	// fewProducts is the number of multiplications below which a loop beats a blocked product.
	fewProducts = 1 << 11
)

// dictionary holds points d_j and weights w_j of f(x) = Σ_j k(d_j, x)·w_j, and the Cholesky
// factor of their Gram matrix. The last point in memory replaces a removed one: slot[j] is the
// position in memory of the j-th point of the factor and the weights.
type dictionary struct {
	eval    gram.Evaluator
	factor  *linalg.Cholesky
	outputs int // C, the columns of the weights that determine the pruning
	width   int // columns of the weights: C, or 2C with the averaged function
	points  points
	slot    []int
	weights []float64 // by rows
	metric  *metric   // nil for plain steps

	scratch compute.Matrix
}

// newDictionary returns the zero function. scale is a typical k(x, x).
func newDictionary(eval gram.Evaluator, p points, outputs, width int, scale float64) *dictionary {
	eval.Unblocked = true
	d := &dictionary{eval: eval, factor: linalg.NewCholesky(relativeJitter * scale), points: p, outputs: outputs, width: width}
	d.factor.TrackInverseDiag()
	return d
}

// order returns the number M of points.
func (d *dictionary) order() int { return len(d.slot) }

// weight returns the weights of point j.
func (d *dictionary) weight(j int) []float64 {
	return d.weights[j*d.width : (j+1)*d.width : (j+1)*d.width]
}

// cross sets dst = K(X, D), n×M, in the order of the factor.
func (d *dictionary) cross(dst compute.Matrix, x compute.Points) {
	k := compute.Reshape(&d.scratch, x.Rows, d.order())
	d.eval.CrossOf(k, x, d.points.matrix())
	for i := range x.Rows {
		to, from := compute.Row(dst, i), compute.Row(k, i)
		for j, s := range d.slot {
			to[j] = from[s]
		}
	}
}

// scores sets dst = K·W for the weights from a column on, where k is n×M.
func (d *dictionary) scores(dst, k compute.Matrix, column int) {
	for i := range dst.Rows {
		clear(compute.Row(dst, i))
	}
	switch {
	case d.order() == 0:
	case dst.Rows*d.order()*dst.Cols > fewProducts:
		w := compute.Matrix{Rows: d.order(), Cols: dst.Cols, Stride: d.width, Data: d.weights[column:]}
		compute.MulNN(dst, k, w, d.eval.Workers)
	default:
		for i := range dst.Rows {
			f := compute.Row(dst, i)
			for j, v := range compute.Row(k, i) {
				floats.AddScaled(f, v, d.weight(j)[column:column+len(f)])
			}
		}
	}
}

// append adds row i of x, which the factor contains already, with its weights.
func (d *dictionary) append(x compute.Points, i int, w []float64) {
	d.slot = append(d.slot, d.order())
	d.points.append(x, i)
	d.weights = append(d.weights, w...)
}

// remove drops point j, which the factors have dropped already.
func (d *dictionary) remove(j int) {
	hole, last := d.slot[j], d.order()-1
	if d.metric != nil {
		d.metric.remove(hole, last)
	}
	d.points.replace(hole)
	d.slot[slices.Index(d.slot, last)] = hole
	d.slot = slices.Delete(d.slot, j, j+1)
	d.weights = slices.Delete(d.weights, j*d.width, (j+1)*d.width)
}

// shrink multiplies the function, not its average, by s.
func (d *dictionary) shrink(s float64) {
	for j := range d.order() {
		floats.Scale(s, d.weight(j)[:d.outputs])
	}
}

// average moves the averaged function by the fraction g towards the function.
func (d *dictionary) average(g float64) {
	if d.width == d.outputs {
		return
	}
	for j := range d.order() {
		w := d.weight(j)
		for c, v := range w[:d.outputs] {
			w[d.outputs+c] += g * (v - w[d.outputs+c])
		}
	}
}

// setWeights stores weights, C×M, for the function and its average.
func (d *dictionary) setWeights(w compute.Matrix) {
	for j := range d.order() {
		to := d.weight(j)
		for c := range to {
			to[c] = compute.Row(w, c%d.outputs)[j]
		}
	}
}

// export copies the points and the weights of the model.
func (d *dictionary) export() (points compute.Points, weights compute.Matrix) {
	points, weights = d.points.matrix().Pick(d.slot), compute.NewMatrix(d.order(), d.outputs)
	for j := range d.slot {
		copy(compute.Row(weights, j), d.weight(j)[d.width-d.outputs:])
	}
	return points, weights
}

// widen adds a zero output.
func (d *dictionary) widen() {
	blocks := d.width / d.outputs
	var wider []float64
	for j := range d.order() {
		w := d.weight(j)
		for b := range blocks {
			wider = append(append(wider, w[b*d.outputs:(b+1)*d.outputs]...), 0)
		}
	}
	d.weights = wider
	d.outputs++
	d.width += blocks
}

func (e *dictionary) encode(out *codec.Encoder) {
	out.Int(e.outputs)
	out.Ints(e.slot)
	e.points.encode(out)
	out.Float64s(e.weights)
	_, rows, diag := e.factor.State()
	out.Float64s(rows)
	out.Float64s(diag)
}

// decodeDictionary reads the dictionary of a descent with the given defaults.
func decodeDictionary(d *codec.Decoder, from *defaults, inputs int, averaged bool) *dictionary {
	e := &dictionary{eval: gram.Evaluator{Kernel: from.kernel, Unblocked: true}, outputs: d.Int()}
	var rows, diag []float64
	e.slot, e.points = d.Ints(), decodePoints(d, inputs)
	e.weights, rows, diag = d.Float64s(), d.Float64s(), d.Float64s()
	if d.Err() != nil {
		return nil
	}
	e.width = e.outputs
	if averaged {
		e.width *= 2
	}
	fits := e.points.count() == e.order() && sized(len(e.weights), e.order(), e.width) && permutation(e.slot)
	if e.outputs < 1 || e.width < e.outputs || inputs < 1 || !fits {
		d.Fail("%d points and %d weights for %d slots, %d inputs and %d outputs",
			e.points.count(), len(e.weights), e.order(), inputs, e.outputs)
		return nil
	}
	factor, err := linalg.RestoreCholesky(relativeJitter*from.kappa, e.order(), rows, diag)
	if err == nil {
		err = gram.Check(from.kernel, e.points.matrix())
	}
	if err != nil {
		d.Fail("%v", err)
	}
	e.factor = factor
	return e
}

// sized reports whether n = a·b for a, b ≥ 0, where a·b may overflow.
func sized(n, a, b int) bool {
	if a == 0 {
		return n == 0
	}
	return n%a == 0 && n/a == b
}

// permutation reports whether list holds each of 0 … n−1.
func permutation(list []int) bool {
	sorted := slices.Sorted(slices.Values(list))
	for i, v := range sorted {
		if v != i {
			return false
		}
	}
	return true
}
