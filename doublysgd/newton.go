package doublysgd

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// The ridges, as fractions of the squared norm of the features, and the lengths
// of step that Newton mode tries.
var (
	newtonRidges  = []float64{1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1}
	newtonLengths = []float64{1, 0.5, 0.25, 0.125}
)

// newtonStep returns the step
//
//	A = η·(ZᵀZ + rho·B·I)⁻¹·Zᵀ(−l'(f)/c)
//
// on a batch of B rows, for the rho and η with the lowest loss on the next one,
// and that mean loss. If all raise it, the step is none. If both is true the step
// for these rho and η is then taken for the rows of both.
func (p *stepper) newtonStep(batch, next sample, both bool) (m stepMove, heldOut float64) {
	b := p.block()
	q := newNormalStep(p, b, batch)
	zh := p.features(b, next.x)
	best := choiceOfStep{loss: next.k.value(next.f)}
	for _, rho := range newtonRidges {
		a := q.solve(rho)
		best = best.orBetter(p.tryLengths(zh, a, rho, next))
	}
	heldOut = best.loss / float64(next.x.Rows)
	if best.a.Data == nil {
		return stepMove{}, heldOut
	}
	if both {
		q.add(next, zh)
		best.a = q.solve(best.rho)
	}
	blas64.Scal(best.length, vector(best.a.Data))
	return stepMove{b: b, decay: 1, a: best.a}, heldOut
}

// choiceOfStep is a step of some length for some ridge, and the loss that it
// leads to.
type choiceOfStep struct {
	a                 compute.Matrix
	rho, length, loss float64
}

func (c choiceOfStep) orBetter(d choiceOfStep) choiceOfStep {
	if d.loss < c.loss {
		return d
	}
	return c
}

// tryLengths returns the best length of a step.
func (p *stepper) tryLengths(zh, a compute.Matrix, rho float64, next sample) choiceOfStep {
	best := choiceOfStep{loss: math.Inf(1)}
	change := compute.NewMatrix(next.f.Rows, next.f.Cols)
	compute.MulNN(change, zh, a, p.workers)
	f := compute.NewMatrix(next.f.Rows, next.f.Cols)
	for _, length := range newtonLengths {
		copy(f.Data, next.f.Data)
		blas64.Axpy(length, vector(change.Data), vector(f.Data))
		best = best.orBetter(choiceOfStep{a, rho, length, next.k.value(f)})
	}
	return best
}

// normalStep holds the normal equations of a step.
type normalStep struct {
	p     *stepper
	n     *normal
	right compute.Matrix // Zᵀ(−l'/c)
}

func newNormalStep(p *stepper, b int, s sample) *normalStep {
	q := &normalStep{p: p, n: newNormal(p.e.m.Columns()), right: compute.NewMatrix(p.e.m.Columns(), s.f.Cols)}
	q.add(s, p.features(b, s.x))
	return q
}

// add takes in rows with their features.
func (q *normalStep) add(s sample, z compute.Matrix) {
	r := compute.NewMatrix(s.f.Rows, s.f.Cols)
	s.k.descent(r, s.f, 1/loss.StepCurvature(s.k.loss()))
	compute.MulTN(q.right, z, r, q.p.workers)
	q.n.restore()
	compute.AddGram(q.n.square, z, q.p.workers)
	q.n.store(q.n.rows + z.Rows)
}

func (q *normalStep) solve(rho float64) compute.Matrix {
	q.n.factor(rho*float64(q.n.rows)*max(q.n.trace()/float64(q.n.rows), smallestTrace), q.p.workers)
	a := cloneMatrix(q.right)
	q.n.solve(a, q.p.workers)
	return a
}

// smallestTrace keeps the ridge positive where all features are zero.
const smallestTrace = 1e-300
