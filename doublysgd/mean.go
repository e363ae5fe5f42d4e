package doublysgd

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// mean keeps the average of the iterates of an expansion, iterate t with weight
// t, at the cost of a number a step and a second set of coefficients: with
// A_b = s·α_b for the running scale s, and S = Σ_t t·s_t,
//
//	Σ_t t·A_b(t) = S·α_b − β_b,
//
// where a step that increases α_b by δ when the sum is S increases β_b by S·δ.
// The difference loses the digits by which s has shrunk since it was folded.
type mean struct {
	steps  int     // t
	sum    float64 // S since the scale was last folded
	weight float64 // Σ_t t
	blocks []compute.Matrix
}

func (m *mean) grow(e *expansion) {
	if m != nil {
		m.blocks = append(m.blocks, compute.NewMatrix(e.m.Columns(), e.outputs))
	}
}

func (m *mean) added(e *expansion, b int, step compute.Matrix) {
	if m != nil {
		blas64.Axpy(m.sum/e.scale, vector(step.Data), vector(m.blocks[b].Data))
	}
}

// fold comes before the scale is folded: S·α_b moves into β_b.
func (m *mean) fold(e *expansion) {
	if m == nil {
		return
	}
	for b, a := range e.blocks {
		blas64.Axpy(-m.sum, vector(a.Data), vector(m.blocks[b].Data))
	}
	m.sum = 0
}

// tick takes the iterate that e is now into the average.
func (m *mean) tick(e *expansion) {
	m.steps++
	m.sum += float64(m.steps) * e.scale
	m.weight += float64(m.steps)
}

func (m *mean) clone() *mean {
	if m == nil {
		return nil
	}
	c := *m
	c.blocks = make([]compute.Matrix, len(m.blocks))
	for b, a := range m.blocks {
		c.blocks[b] = cloneMatrix(a)
	}
	return &c
}

// average returns the averaged iterate of e, which keeps a mean and has taken a
// step.
func (e *expansion) average() *expansion {
	c := *e
	c.mean, c.scale = nil, 1
	c.blocks = make([]compute.Matrix, len(e.blocks))
	for b, a := range e.blocks {
		c.blocks[b] = compute.NewMatrix(a.Rows, a.Cols)
		blas64.Axpy(e.mean.sum/e.mean.weight, vector(a.Data), vector(c.blocks[b].Data))
		blas64.Axpy(-1/e.mean.weight, vector(e.mean.blocks[b].Data), vector(c.blocks[b].Data))
	}
	return &c
}
