package batches

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

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
//	A = η·(ZᵀZ + rho·B·I)⁻¹·Zᵀ(−l'(f)/c)
//
// on a batch of B rows, for the rho and η with the lowest loss on the next one,
// and that mean loss. If all raise it, the step is none. If both is true the step
// for these rho and η is then taken for the rows of both.
func (s *Stepper) NewtonStep(batch, next Sample, both bool) (m Move, criterion float64) {
	b := s.Block()
	q := newNormalStep(s, b, batch)
	zh := s.Features(b, next.X)
	best := candidate{loss: next.Risk.Value(next.Scores)}
	for _, rho := range newtonRidges {
		a := q.solve(rho)
		best = best.orBetter(s.bestLength(zh, a, rho, next))
	}
	criterion = best.loss / float64(next.X.Rows)
	if best.a.Data == nil {
		return Move{}, criterion
	}
	if both {
		q.add(next, zh)
		best.a = q.solve(best.rho)
	}
	blas64.Scal(best.length, compute.Vector(best.a.Data))
	return Move{Block: b, Decay: 1, Step: best.a}, criterion
}

// candidate is a step of some length for some ridge, and the loss that it
// leads to.
type candidate struct {
	a                 compute.Matrix
	rho, length, loss float64
}

func (c candidate) orBetter(d candidate) candidate {
	if d.loss < c.loss {
		return d
	}
	return c
}

// bestLength returns the best length of a step.
func (s *Stepper) bestLength(zh, a compute.Matrix, rho float64, next Sample) candidate {
	best := candidate{loss: math.Inf(1)}
	change := compute.NewMatrix(next.Scores.Rows, next.Scores.Cols)
	compute.MulNN(change, zh, a, s.workers)
	f := compute.NewMatrix(next.Scores.Rows, next.Scores.Cols)
	for _, length := range newtonLengths {
		copy(f.Data, next.Scores.Data)
		blas64.Axpy(length, compute.Vector(change.Data), compute.Vector(f.Data))
		best = best.orBetter(candidate{a, rho, length, next.Risk.Value(f)})
	}
	return best
}

// normalStep holds the normal equations of a step.
type normalStep struct {
	stepper *Stepper
	n       *blocks.Normal
	right   compute.Matrix // Zᵀ(−l'/c)
}

func newNormalStep(p *Stepper, b int, s Sample) *normalStep {
	q := &normalStep{stepper: p, n: blocks.NewNormal(p.Function.Map.Columns()), right: compute.NewMatrix(p.Function.Map.Columns(), s.Scores.Cols)}
	q.add(s, p.Features(b, s.X))
	return q
}

// add takes in rows with their features.
func (q *normalStep) add(s Sample, z compute.Matrix) {
	r := compute.NewMatrix(s.Scores.Rows, s.Scores.Cols)
	s.Risk.Descent(r, s.Scores, 1/loss.StepCurvature(s.Risk.Loss()))
	compute.MulTN(q.right, z, r, q.stepper.workers)
	q.n.Restore()
	compute.AddGram(q.n.Square, z, q.stepper.workers)
	q.n.Store(q.n.Rows + z.Rows)
}

func (q *normalStep) solve(rho float64) compute.Matrix {
	q.n.Factor(rho*float64(q.n.Rows)*max(q.n.Trace()/float64(q.n.Rows), smallestTrace), q.stepper.workers)
	a := compute.Clone(q.right)
	q.n.Solve(a, q.stepper.workers)
	return a
}

// smallestTrace keeps the ridge positive where all features are zero.
const smallestTrace = 1e-300
