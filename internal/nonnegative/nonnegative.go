// Package nonnegative minimises quadratic functions of numbers that are not negative.
package nonnegative

import "gonum.org/v1/gonum/mat"

// Minimum minimises vᵀMv − 2vᵀa over v ≥ 0 for a positive semidefinite M of
// which the lower triangle is given, by the active set method of Lawson and
// Hanson, "Solving least squares problems", 1974, chapter 23.
func Minimum(m [][]float64, a []float64) []float64 { return new(Solver).Minimum(m, a) }

// Solver is memory of one minimum after the other.
type Solver struct {
	list     []int
	gram     []float64
	right, z []float64
	factor   mat.Cholesky
}

// Minimum is the function of that name.
func (s *Solver) Minimum(m [][]float64, a []float64) []float64 {
	n := len(a)
	v := make([]float64, n)
	free := make([]bool, n)
	for range 3 * n {
		t := steepestDescent(m, a, v, free)
		if t < 0 {
			break
		}
		free[t] = true
		for {
			z, ok := s.solveFree(m, a, free)
			if !ok {
				free[t] = false
				return v
			}
			if towards(v, z, free) {
				break
			}
		}
	}
	return v
}

// steepestDescent returns the variable at zero that lowers the objective fastest,
// or −1 if none does so beyond rounding.
func steepestDescent(m [][]float64, a, v []float64, free []bool) int {
	best, slope := -1, 0.0
	for t := range a {
		if free[t] {
			continue
		}
		g := a[t]
		for u, w := range v {
			g -= entry(m, t, u) * w
		}
		if g > 1e-12*a[t] && g > slope {
			best, slope = t, g
		}
	}
	return best
}

// solveFree returns the minimum over the free variables, the others being zero, until it is called again.
func (s *Solver) solveFree(m [][]float64, a []float64, free []bool) (z []float64, ok bool) {
	s.list = s.list[:0]
	for t, is := range free {
		if is {
			s.list = append(s.list, t)
		}
	}
	n := len(s.list)
	if most := len(a); len(s.z) < most {
		s.gram, s.right, s.z = make([]float64, most*most), make([]float64, most), make([]float64, most)
	}
	g, b := mat.NewSymDense(n, s.gram[:n*n]), mat.NewVecDense(n, s.right[:n])
	for i, t := range s.list {
		b.SetVec(i, a[t])
		for j, u := range s.list[:i+1] {
			g.SetSym(i, j, entry(m, t, u))
		}
	}
	if !s.factor.Factorize(g) {
		return nil, false
	}
	if err := s.factor.SolveVecTo(b, b); err != nil {
		return nil, false
	}
	z = s.z[:len(a)]
	clear(z)
	for i, t := range s.list {
		z[t] = b.AtVec(i)
	}
	return z, true
}

// towards moves v to z, and reports whether it arrived; else it stops where the
// first variable meets zero, which is then no longer free.
func towards(v, z []float64, free []bool) bool {
	step, last := 1.0, -1
	for t, f := range free {
		if f && z[t] <= 0 {
			if s := v[t] / (v[t] - z[t]); s < step || last < 0 {
				step, last = s, t
			}
		}
	}
	for t := range v {
		v[t] += step * (z[t] - v[t])
	}
	if last < 0 {
		return true
	}
	v[last], free[last] = 0, false
	return false
}

func entry(m [][]float64, t, u int) float64 {
	if u > t {
		t, u = u, t
	}
	return m[t][u]
}
