package linalg

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// choleskyMachine drives a factor against the list of its points.
type choleskyMachine struct {
	c      *Cholesky
	points []point
}

const machineJitter = 1e-4

func drawPoint(t *rapid.T) point {
	coordinate := rapid.Float64Range(-3, 3)
	return point{coordinate.Draw(t, "x"), coordinate.Draw(t, "y")}
}

func (m *choleskyMachine) append(x point) {
	if _, ok := m.c.Append(kernelRow(x, m.points), 1, machineJitter/2); ok {
		m.points = append(m.points, x)
	}
}

func (m *choleskyMachine) Append(t *rapid.T) { m.append(drawPoint(t)) }

func (m *choleskyMachine) AppendDuplicate(t *rapid.T) {
	if len(m.points) == 0 {
		t.Skip("no points")
	}
	x := rapid.SampledFrom(m.points).Draw(t, "point")
	x[0] += rapid.SampledFrom([]float64{0, 1e-9, -1e-9}).Draw(t, "offset")
	m.append(x)
}

func (m *choleskyMachine) AppendBatch(t *rapid.T) {
	batch := rapid.SliceOfN(rapid.Custom(drawPoint), 0, 5).Draw(t, "batch")
	if m.c.AppendBatch(compute.Dense(kernelMatrix(batch, m.points)), compute.Dense(kernelMatrix(batch, batch)), machineJitter/2, 1) {
		m.points = append(m.points, batch...)
	}
}

func (m *choleskyMachine) Delete(t *rapid.T) {
	if len(m.points) == 0 {
		t.Skip("no points")
	}
	i := rapid.IntRange(0, len(m.points)-1).Draw(t, "i")
	m.c.Delete(i, nil)
	m.points = slices.Delete(m.points, i, i+1)
}

func (m *choleskyMachine) Restore(t *rapid.T) {
	n, rows, diag := m.c.State()
	c, err := RestoreCholesky(m.c.Jitter(), n, rows, diag)
	if err != nil {
		t.Fatal(err)
	}
	m.c = c
}

// Check compares with the points: the factor to rounding, the diagonal to
// rounding times the condition number, which the jitter bounds by n/machineJitter.
func (m *choleskyMachine) Check(t *rapid.T) {
	n := len(m.points)
	if m.c.Len() != n {
		t.Fatalf("order %d, want %d", m.c.Len(), n)
	}
	if n == 0 {
		return
	}
	a, l := gram(m.points, machineJitter), factor(m.c)
	if r := solutionResidual(l, l.T(), a); !(r <= 10) {
		t.Fatalf("L·Lᵀ: scaled residual %.3g", r)
	}
	var inv mat.Dense
	if err := inv.Inverse(a); err != nil {
		t.Fatal(err)
	}
	for i, d := range m.c.InverseDiag() {
		if want := inv.At(i, i); !(d-want < 1e-9*want && want-d < 1e-9*want) {
			t.Fatalf("inverse diagonal %v at %d, want %v", d, i, want)
		}
	}
}

func TestCholeskyMachine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &choleskyMachine{c: NewCholesky(machineJitter)}
		m.c.TrackInverseDiag()
		t.Repeat(rapid.StateMachineActions(m))
	})
}
