// Package nonnegative minimises quadratic functions over nonnegative numbers.
package nonnegative

import "gonum.org/v1/gonum/mat"

// Minimum returns the minimum of vᵀMv − 2vᵀa over v ≥ 0 for a positive semidefinite M, of
// which it reads the lower triangle. It is the active set method of Lawson and Hanson,
// "Solving least squares problems", 1974, chapter 23.
func Minimum(m [][]float64, a []float64) []float64 { return new(Solver).Minimum(m, a) }

// Solver reuses memory between calls of Minimum.
type Solver struct {
	list     []int
	gram     []float64
	right, z []float64
	factor   mat.Cholesky
}

// Minimum is the function of the same name.
func (s *Solver) Minimum(m [][]float64, a []float64) []float64 {
	v, free := make([]float64, len(a)), make([]bool, len(a))
	for range 3 * len(a) {
		t := steepestDescent(m, a, v, free)
		if t < 0 {
			break
		}
		free[t] = true
		for arrived := false; !arrived; {
			z, ok := s.solveFree(m, a, free)
			if !ok {
				return v
			}
			arrived = moveTowards(v, z, free)
		}
	}
	return v
}

// steepestDescent returns the variable at zero with the steepest descent, or −1 if there is
// no descent except by rounding.
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

// solveFree returns the minimum over the free variables with the remaining variables zero.
// The result is valid until the next call.
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
	if !s.factor.Factorize(g) || s.factor.SolveVecTo(b, b) != nil {
		return nil, false
	}
	z = s.z[:len(a)]
	clear(z)
	for i, t := range s.list {
		z[t] = b.AtVec(i)
	}
	return z, true
}

// moveTowards moves v to z and reports whether it arrived. If a variable becomes zero first,
// v stops there and the variable is no longer free.
func moveTowards(v, z []float64, free []bool) bool {
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
	if last >= 0 {
		v[last], free[last] = 0, false
	}
	return last < 0
}

func entry(m [][]float64, t, u int) float64 { return m[max(t, u)][min(t, u)] }
