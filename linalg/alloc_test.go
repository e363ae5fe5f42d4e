package linalg

import "testing"

// With equal numbers of additions and removals, operations do not allocate.
func TestSteadyStateAllocations(t *testing.T) {
	c, points := newStream(t, 40, 1e-6)
	k, x := kernelRow(point{9, 9}, points), make([]float64, 40)
	pr := newProblem(random(newRand(60), 50, 40), 1)
	for j := range 40 {
		pr.set(j, 1)
	}
	cross := make([]float64, 39)
	for j := range cross {
		cross[j] = pr.p.At(39, j)
	}
	for name, f := range map[string]func(){
		"Cholesky append, delete": func() {
			c.Append(k, 1, 0)
			c.Delete(40, nil)
			c.Delete(3, nil)
			c.Append(k[:39], 2, 0)
		},
		"Cholesky solve":  func() { c.SolveVecTo(x, k) },
		"Cholesky column": func() { c.inverseColumn(x, 5) },
		"Woodbury set": func() {
			pr.w.Set(39, 0, nil, 0)
			pr.w.Set(39, 1, cross, pr.p.At(39, 39))
			pr.w.Set(39, 2, nil, 0)
		},
		"Woodbury product, column": func() {
			pr.w.MulVecTo(x, k)
			pr.w.g.column(x, 7)
		},
		"Woodbury drift": func() { pr.w.Drift() },
	} {
		f()
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations a run", name, n)
		}
	}
}
