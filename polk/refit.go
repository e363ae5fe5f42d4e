package polk

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/loss"
)

// refitRows is the number of rows per block.
const refitRows = 256

// refit ends a fit. With a squared loss and the default step size it finds the regularised
// minimum over the span of the dictionary, and for a regression loss the best constant.
//
// It also solves for labels without a given Loss, unless held-out rows disagree. Steps of the
// hinge loss find points at class boundaries, but after a few passes their weights are not
// nearly optimal.
func (d *descent) refit(all, heldOut batch, r *progress.Monitor) {
	if d.set.solves() && d.f.order() > 0 {
		d.solveUnless(heldOut, all.coded(), r)
	}
	if l, ok := d.set.Loss.(loss.Scalar); ok && !all.labelled() && !d.set.NoIntercept {
		d.refitConstant(l, all, r)
	}
}

// solveUnless solves for the weights, but keeps the weights of the steps if they have fewer
// errors on held-out labels.
func (d *descent) solveUnless(heldOut, all batch, r *progress.Monitor) {
	if !heldOut.labelled() {
		d.solve(all, r)
		return
	}
	wrong, weights, constant := d.wrong(heldOut), slices.Clone(d.f.weights), d.b
	d.solve(all, r)
	if d.solved != nil && d.wrong(heldOut) > wrong {
		copy(d.f.weights, weights)
		d.b, d.solved = constant, nil
	}
}

// wrong returns the total weight of the rows with wrong predicted labels.
func (d *descent) wrong(b batch) (sum float64) {
	scores := d.predictions(b).Scores
	for i, class := range b.class {
		if decide(d.set.Loss, compute.Row(scores, i)) != class {
			sum += b.weights.At(i)
		}
	}
	return sum
}

// normal holds the normal equations of ridge regression with a constant, in coordinates z that
// are orthonormal in the span of the dictionary.
type normal struct {
	a, b     compute.Matrix // Σ z·zᵀ, upper triangle, and Σ z·(y − mean y)
	z, y     []float64      // means
	constant bool
}

// solve minimises the mean loss plus lam/2·‖f‖² over the weights. O(n·M² + M³).
func (d *descent) solve(all batch, r *progress.Monitor) {
	n, m, q := all.x.Rows, d.f.order(), d.f.outputs
	e := normal{a: compute.NewMatrix(m, m), b: compute.NewMatrix(m, q),
		z: make([]float64, m), y: make([]float64, q), constant: !d.set.NoIntercept}
	for i := 0; e.constant && i < n; i++ {
		floats.AddScaled(e.y, all.weights.At(i)/float64(n), compute.Row(all.y, i))
	}
	for from, to := range compute.Chunks(n, refitRows) {
		if r.Stopped() {
			return
		}
		r.Report(d.progress("weights", from, n))
		d.coordinates(all.x.Between(from, to))
		y := compute.Clone(compute.Rows(all.y, from, to))
		e.add(d.z, y, all.weights.Between(from, to), n, d.set.Workers)
	}
	if constant, ok := e.solve(d.ridge()*float64(n), n, d.set.Workers); ok {
		w := compute.Transpose(e.b)
		d.f.factor.BackwardRows(compute.Dense(w), d.set.Workers)
		d.f.setWeights(w)
		d.b = newConstant(constant, d.set.averaged())
		d.solved = &e
	}
}

// coordinates sets z to the coordinates of rows in the span of the dictionary, n×M.
func (d *descent) coordinates(x compute.Points) {
	d.f.cross(compute.Reshape(&d.z, x.Rows, d.f.order()), x)
	d.f.factor.ForwardRows(compute.Dense(d.z), d.set.Workers)
}

// add adds rows, out of n, with weights of mean one or nil. It overwrites y and z.
func (e *normal) add(z, y compute.Matrix, weights compute.Weights, n, workers int) {
	for i := range y.Rows {
		floats.Sub(compute.Row(y, i), e.y)
		floats.AddScaled(e.z, weights.At(i)/float64(n), compute.Row(z, i))
	}
	weights.ScaleByRoots(y)
	weights.ScaleByRoots(z)
	compute.AddGram(e.a, z, workers)
	compute.MulTN(e.b, z, y, workers)
}

// solve stores the coordinates of the solution in b and returns the constant. It returns false
// if the equations are singular to working precision.
func (e *normal) solve(noise float64, n, workers int) (constant []float64, ok bool) {
	for i := range e.a.Rows {
		row := compute.Row(e.a, i)
		if e.constant {
			floats.AddScaled(row[i:], -float64(n)*e.z[i], e.z[i:])
		}
		row[i] += noise
	}
	if !compute.Cholesky(e.a, workers) {
		return nil, false
	}
	compute.SolveUpper(e.a, e.b, true, workers)
	compute.SolveUpper(e.a, e.b, false, workers)
	constant = slices.Clone(e.y)
	for j := 0; e.constant && j < e.b.Rows; j++ {
		floats.AddScaled(constant, -e.z[j], compute.Row(e.b, j))
	}
	return constant, !exceeds(e.b.Data)
}
