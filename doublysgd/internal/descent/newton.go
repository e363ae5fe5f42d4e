package descent

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// The ridges, as fractions of the squared norm of the features, and the lengths
// of step among which Newton mode chooses.
var (
	newtonRidges  = []float64{1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1}
	newtonLengths = []float64{1, 0.5, 0.25, 0.125}
)

// NewtonStep returns the step
//
//	A = η·(CᵀC + rho·B·I)⁻¹·Cᵀ(−l'(f)/c)
//
// on a batch of B rows, with C the centred Z, and the step of the constant, for the rho and η with
// the lowest loss on the next batch, and that mean loss. The step is empty if no candidate lowers
// the loss. If both is true, the step for the selected rho and η uses the rows of both batches.
func (s *Stepper) NewtonStep(batch, next Sample, both bool) (m Update, criterion float64) {
	b := s.Block()
	q := newNormalStep(s, b, batch)
	// The rows so far and two initial batches determine the constant. Their weight is
	// one half.
	q.n.Damping = float64(s.Steps+2) * batch.Risk.Total() / 2
	zh := s.Features(b, next.X)
	best := candidate{loss: next.Risk.Value(next.Scores)}
	for _, rho := range newtonRidges {
		best = best.orBetter(s.bestLength(zh, q.solve(rho), next))
	}
	criterion = best.loss / next.Risk.Total()
	if best.a.Data == nil {
		return Update{}, criterion
	}
	if both {
		q.add(next, zh)
		best.direction = q.solve(best.rho)
	}
	blas64.Scal(best.length, compute.Vector(best.a.Data))
	floats.Scale(best.length, best.shift)
	return Update{Block: b, Decay: 1, Step: best.a, Shift: best.shift}, criterion
}

// direction is the step of coefficients and constant for a ridge.
type direction struct {
	rho   float64
	a     compute.Matrix
	shift []float64
}

// candidate is a step with a length and its loss.
type candidate struct {
	direction
	length, loss float64
}

func (c candidate) orBetter(d candidate) candidate {
	if d.loss < c.loss {
		return d
	}
	return c
}

// bestLength returns the best length of a step.
func (s *Stepper) bestLength(zh compute.Matrix, d direction, next Sample) candidate {
	best := candidate{loss: math.Inf(1)}
	change := compute.NewMatrix(next.Scores.Rows, next.Scores.Cols)
	compute.MulNN(change, zh, d.a, s.workers)
	compute.AddRow(change, d.shift)
	f := compute.NewMatrix(next.Scores.Rows, next.Scores.Cols)
	for _, length := range newtonLengths {
		copy(f.Data, next.Scores.Data)
		blas64.Axpy(length, compute.Vector(change.Data), compute.Vector(f.Data))
		best = best.orBetter(candidate{d, length, next.Risk.Value(f)})
	}
	return best
}

// normalStep holds the normal equations of a step.
type normalStep struct {
	stepper *Stepper
	n       *blocks.Normal
	right   compute.Matrix // ZᵀW(−l'/c) with the weights W of the rows
	sums    []float64      // of W(−l'/c)
}

func newNormalStep(p *Stepper, b int, s Sample) *normalStep {
	q := &normalStep{stepper: p, n: blocks.NewNormal(p.Function.Map.Columns()), right: compute.NewMatrix(p.Function.Map.Columns(), s.Scores.Cols), sums: make([]float64, s.Scores.Cols)}
	q.add(s, p.Features(b, s.X))
	return q
}

// add adds rows with their features.
func (q *normalStep) add(s Sample, z compute.Matrix) {
	r := compute.NewMatrix(s.Scores.Rows, s.Scores.Cols)
	s.Risk.Descent(r, s.Scores, 1/loss.StepCurvature(s.Risk.Loss()))
	s.Risk.Weights.Scale(r)
	compute.MulTN(q.right, z, r, q.stepper.workers)
	for i := range r.Rows {
		floats.Add(q.sums, compute.Row(r, i))
	}
	s.Risk.addColumns(q.n.Sums, z)
	q.n.Restore(q.stepper.workers)
	compute.AddWeighedGram(q.n.Square, z, s.Risk.Weights, q.stepper.workers)
	q.n.Store(q.n.Rows+z.Rows, q.n.Total+s.Risk.Total())
}

func (q *normalStep) solve(rho float64) direction {
	q.n.Factor(rho*q.n.Total*max(q.n.Trace()/q.n.Total, smallestTrace), q.stepper.workers)
	alone := slices.Clone(q.sums)
	floats.Scale(1/q.n.Weight(), alone)
	a := compute.Clone(q.right)
	for j, s := range q.n.Sums { // centre the right-hand side
		for o, b := range alone {
			compute.Row(a, j)[o] -= float64(s * b)
		}
	}
	q.n.Solve(a, q.stepper.workers)
	return direction{rho, a, q.n.Shift(alone, a)}
}

// smallestTrace keeps the ridge positive where all features are zero.
const smallestTrace = 1e-300
