package revisit

import (
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// iterate is where a solution is: coefficients, constant, and the scores that these have
// at all rows, brought up to date with every step.
type iterate struct {
	Function *blocks.Function
	Constant []float64      // b, of each output
	scores   compute.Matrix // n×q
	moved    *move          // sums up the steps of a pass; or nil
}

// add takes a step in block b and one in the constant, which change the scores by so much.
func (t *iterate) add(b int, step compute.Matrix, shift []float64, scores compute.Matrix) {
	t.Function.Add(b, step)
	floats.Add(t.Constant, shift)
	blas64.Axpy(1, compute.Vector(scores.Data), compute.Vector(t.scores.Data))
	if t.moved != nil {
		t.moved.add(b, step, shift, scores)
	}
}

// shift adds to the constant.
func (t *iterate) shift(by []float64) {
	floats.Add(t.Constant, by)
	compute.AddRow(t.scores, by)
	if t.moved != nil {
		floats.Add(t.moved.constant, by)
		compute.AddRow(t.moved.f, by)
	}
}

// move returns the move from zero to here, in the memory of t; the running scale is 1.
func (t *iterate) move() move {
	return move{a: t.Function.Blocks, constant: t.Constant, f: t.scores}
}

// Snapshot is what steps change.
type Snapshot struct {
	scale    float64
	blocks   []compute.Matrix
	constant []float64
	scores   compute.Matrix
}

// Snapshot returns a copy of where the solution is.
func (t *iterate) Snapshot() Snapshot {
	s := Snapshot{scale: t.Function.Scale, constant: slices.Clone(t.Constant), scores: compute.Clone(t.scores)}
	for _, a := range t.Function.Blocks {
		s.blocks = append(s.blocks, compute.Clone(a))
	}
	return s
}

// Restore goes back to a snapshot, whose memory it takes.
func (t *iterate) Restore(s Snapshot) {
	t.Function.Scale, t.Function.Blocks, t.Constant, t.scores = s.scale, s.blocks, s.constant, s.scores
}
