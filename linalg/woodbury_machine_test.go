package linalg

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// woodburyMachine drives a Woodbury against a plain list of weights. It has equal columns, a nearly
// equal column and a zero column.
type woodburyMachine struct {
	pr      *problem
	weights map[int]float64
	order   []int
}

const machineColumns = 10

func newWoodburyMachine() *woodburyMachine {
	c := random(newRand(30), 15, machineColumns)
	for i := range c.Rows {
		row := compute.Row(c, i)
		row[1], row[2], row[9] = row[0], row[3]+1e-9*row[4], 0
	}
	return &woodburyMachine{pr: newProblem(c, 0.5), weights: map[int]float64{}}
}

func (m *woodburyMachine) set(t *rapid.T, name int, mu float64) {
	old, active := m.weights[name]
	zero := 1+mu*m.pr.p.At(name, name)/m.pr.lam == 1
	want := unchanged
	switch {
	case !active && !zero:
		want, m.weights[name] = inserted, mu
		m.order = append(m.order, name)
	case active && zero:
		want = deleted
		delete(m.weights, name)
		m.order = slices.DeleteFunc(m.order, func(k int) bool { return k == name })
	case active && math.Abs(mu-old) > 1e-12*old:
		want, m.weights[name] = changed, mu
	}
	if got := m.pr.set(name, mu); got != want {
		t.Fatalf("case %d, want %d", got, want)
	}
}

func drawColumn(t *rapid.T) int { return rapid.IntRange(0, machineColumns-1).Draw(t, "column") }

func (m *woodburyMachine) Set(t *rapid.T) {
	m.set(t, drawColumn(t), math.Exp(rapid.Float64Range(-9, 9).Draw(t, "log mu")))
}

func (m *woodburyMachine) Clear(t *rapid.T) { m.set(t, drawColumn(t), 0) }

func (m *woodburyMachine) Repeat(t *rapid.T) {
	name := drawColumn(t)
	m.set(t, name, m.weights[name])
}

func (m *woodburyMachine) Refactor(t *rapid.T) {
	if !m.pr.w.Refactor(1) {
		t.Fatal("refactorisation failed")
	}
}

// Check compares with the weights. The residual may grow with the condition of
// the system, which the largest weight bounds, and with the updates.
func (m *woodburyMachine) Check(t *rapid.T) {
	if !slices.Equal(m.pr.w.Active(), m.order) {
		t.Fatalf("active %v, want %v", m.pr.w.Active(), m.order)
	}
	for k, name := range m.order {
		if m.pr.w.mu[k] != m.weights[name] {
			t.Fatalf("weight of %d is %v, want %v", name, m.pr.w.mu[k], m.weights[name])
		}
	}
	if d := m.pr.w.Drift(); !(d < 1e-7) {
		t.Fatalf("drift %.3g", d)
	}
}

func TestWoodburyMachine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		t.Repeat(rapid.StateMachineActions(newWoodburyMachine()))
	})
}
