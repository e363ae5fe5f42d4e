package blocks

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Average keeps the average of the iterates of an expansion, iterate t with weight
// t, at the cost of a number a step and a second set of coefficients: with
// A_b = s·α_b for the running scale s, and S = Σ_t t·s_t,
//
//	Σ_t t·A_b(t) = S·α_b − β_b,
//
// where a step that increases α_b by δ when the sum is S increases β_b by S·δ.
// The difference loses the digits by which s has shrunk since it was folded.
type Average struct {
	Steps  int     // t
	sum    float64 // S since the scale was last folded
	Weight float64 // Σ_t t
	Blocks []compute.Matrix
}

func (m *Average) grow(e *Function) {
	if m != nil {
		m.Blocks = append(m.Blocks, compute.NewMatrix(e.Map.Columns(), e.Outputs))
	}
}

func (m *Average) added(e *Function, b int, step compute.Matrix) {
	if m != nil {
		blas64.Axpy(m.sum/e.Scale, compute.Vector(step.Data), compute.Vector(m.Blocks[b].Data))
	}
}

// fold comes before the scale is folded: S·α_b moves into β_b.
func (m *Average) fold(e *Function) {
	if m == nil {
		return
	}
	for b, a := range e.Blocks {
		blas64.Axpy(-m.sum, compute.Vector(a.Data), compute.Vector(m.Blocks[b].Data))
	}
	m.sum = 0
}

// Tick takes the iterate that e is now into the average.
func (m *Average) Tick(e *Function) {
	m.Steps++
	m.sum += float64(m.Steps) * e.Scale
	m.Weight += float64(m.Steps)
}

func (m *Average) clone() *Average {
	if m == nil {
		return nil
	}
	c := *m
	c.Blocks = make([]compute.Matrix, len(m.Blocks))
	for b, a := range m.Blocks {
		c.Blocks[b] = compute.Clone(a)
	}
	return &c
}
