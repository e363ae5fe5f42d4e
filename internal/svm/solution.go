package svm

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// Solution is f(x) + b = Σ_i Beta_i·k(x_i, x) + Bias with its certificate.
type Solution struct {
	C float64
	// Beta holds the coefficient of each row, 0 unless it is a support vector. For labels
	// 0 ≤ y_i·Beta_i ≤ C_i.
	Beta []float64
	Bias float64
	// Objective is the dual objective Σ_i y_i·β_i − ½·βᵀKβ. LIBSVM reports its negative.
	Objective float64
	// Gap bounds the distance of Objective from its maximum. It is the least primal objective
	// of the multiples of f with a constant, minus Objective.
	Gap float64
	// Relative is Gap relative to the larger objective, or 0 if Gap is rounding.
	Relative float64
	// Violation is the largest residual y_i − f(x_i) of a β_i that can rise minus the smallest
	// residual of a β_i that can fall, or 0 if that is negative.
	Violation float64
	// Bounded is the number of variables at a bound other than zero.
	Bounded int
	// Iterations is the number of steps on pairs.
	Iterations int
	Status     rkhs.Status
}

func (s *solver) solution(c float64, status rkhs.Status, violation float64) *Solution {
	sol := &Solution{C: c, Bias: s.bias(), Violation: violation, Iterations: s.steps, Status: status}
	sol.Beta = make([]float64, len(s.beta)/s.copies)
	for i, b := range s.beta {
		sol.Beta[s.row(i)] += b
		if b != 0 && (b == s.lo[i] || b == s.hi[i]) {
			sol.Bounded++
		}
	}
	if s.sum != 0 { // with the best constant at most the fraction nu is outside
		sol.Bias = s.primal().constant(1)
	}
	g := s.certificate()
	sol.Objective, sol.Gap, sol.Relative = g.dual, g.gap(), g.relative()
	return sol
}

// bias returns the mean residual of the variables between their bounds. Without them it returns
// the middle of the feasible interval.
func (s *solver) bias() float64 {
	sum, free := 0.0, 0
	least, most := math.Inf(-1), math.Inf(1)
	for i, e := range s.e {
		switch up, down := s.up(i), s.down(i); {
		case up && down:
			sum += e
			free++
		case up:
			least = max(least, e)
		default:
			most = min(most, e)
		}
	}
	if free > 0 {
		return sum / float64(free)
	}
	return (least + most) / 2
}

// Support returns the rows with a coefficient.
func (s *Solution) Support() (rows []int) {
	for i, b := range s.Beta {
		if b != 0 {
			rows = append(rows, i)
		}
	}
	return rows
}

// Decision sets dst_j = f(z_j) + b for the rows of z (m×d), with the k and x of the fit. The label
// is its sign. O(m·support·d).
func (s *Solution) Decision(dst []float64, k kernel.Kernel, x, z compute.Points, workers int) {
	support := s.Support()
	beta := compute.ColumnOf(compute.PickOf(s.Beta, support))
	gram.Evaluator{Kernel: k, Workers: workers}.MulOf(compute.ColumnOf(dst), z, x.Pick(support), beta)
	floats.AddConst(s.Bias, dst)
}

// certificate holds a dual and a primal objective. The minimum is between them, up to rounding.
type certificate struct{ dual, primal, rounding float64 }

func (c certificate) gap() float64 { return max(0, c.primal-c.dual) }

// relative returns the gap relative to the larger objective, or 0 if it is rounding.
func (c certificate) relative() float64 {
	if gap := c.gap(); gap > c.rounding {
		return gap / max(math.Abs(c.primal), math.Abs(c.dual))
	}
	return 0
}

// roundings bounds the rounding error of a sum over the variables, relative to its terms.
const roundings = 100 * 0x1p-52

// size returns Σ|β_i|·√k(x_i, x_i), a bound of ‖f‖.
func (s *solver) size() float64 {
	v := 0.0
	for i, b := range s.beta {
		v += math.Abs(b) * math.Sqrt(max(0, s.diag[i]))
	}
	return v
}

// finest returns the violation below which residuals are rounding.
func (s *solver) finest() float64 {
	return roundings * s.size() * math.Sqrt(max(0, slices.Max(s.diag)))
}

// certificate returns the dual objective and the least primal objective found among the multiples
// of f with a constant. The primal objective of f itself may be well above the minimum. With a
// large C, a margin that is too small by a thousandth costs C/1000, but a multiple of f that is
// larger by a thousandth increases ‖f‖² only slightly.
func (s *solver) certificate() certificate {
	p := s.primal()
	size := s.size()
	c := certificate{dual: -p.norm / 2, primal: math.Inf(1), rounding: roundings * size * size}
	for i, b := range s.beta {
		c.dual += b * s.linear[i]
	}
	scale, constant := 1.0, s.bias()
	for range 4 { // scale and constant in turn
		c.primal = min(c.primal, p.at(scale, constant))
		constant = p.constant(scale)
		c.primal = min(c.primal, p.at(scale, constant))
		by := p.scale(scale, constant)
		scale, constant = by*scale, by*constant
	}
	c.primal = min(c.primal, p.at(scale, constant))
	return c
}

// primal is the primal objective of a·f with the constant b,
//
//	a²·norm/2 + Σ_i c_i·max(0, s_i·(t_i − a·f_i − b)) + b·sum.
type primal struct {
	program
	f, c  []float64 // of the variables
	norm  float64   // ‖f‖²
	kinks []kink
}

// kink is a point where the slope of a function jumps.
type kink struct{ at, jump float64 }

func (s *solver) primal() *primal {
	p := &primal{program: s.program, f: make([]float64, len(s.beta)), c: make([]float64, len(s.beta))}
	for i, b := range s.beta {
		p.f[i], p.c[i] = s.linear[i]-s.e[i], s.hi[i]-s.lo[i]
		p.norm += b * p.f[i]
	}
	return p
}

func (p *primal) at(a, b float64) float64 {
	v := a*a*p.norm/2 + b*p.sum
	for i, t := range p.linear {
		v += p.c[i] * max(0, p.side[i]*(t-a*p.f[i]-b))
	}
	return v
}

// constant returns the best b for a. The slope in b jumps by c_i at t_i − a·f_i; it becomes
// positive at the best b.
func (p *primal) constant(a float64) float64 {
	p.kinks = p.kinks[:0]
	slope := p.sum
	for i, t := range p.linear {
		p.kinks = append(p.kinks, kink{t - a*p.f[i], p.c[i]})
		if p.side[i] > 0 {
			slope -= p.c[i]
		}
	}
	p.sort()
	for _, k := range p.kinks {
		if slope += k.jump; slope >= 0 {
			return k.at
		}
	}
	return p.kinks[len(p.kinks)-1].at
}

// scale returns the best factor r ≥ 0 of both a and b. With h = a·f + b the slope in r is
// r·a²·norm + b·sum − Σ_i c_i·s_i·h_i over all i with s_i·(t_i − r·h_i) > 0. It jumps by c_i·|h_i|
// at t_i/h_i.
func (p *primal) scale(a, b float64) float64 {
	p.kinks = p.kinks[:0]
	slope, square := b*p.sum, a*a*p.norm
	for i, t := range p.linear {
		h := a*p.f[i] + b
		if h == 0 {
			continue
		}
		if k := (kink{t / h, p.c[i] * math.Abs(h)}); k.at > 0 {
			p.kinks = append(p.kinks, k)
		}
		if p.side[i]*t > 0 || t == 0 && p.side[i]*h < 0 {
			slope -= p.c[i] * p.side[i] * h
		}
	}
	p.sort()
	for _, k := range p.kinks {
		if r := -slope / square; r <= k.at {
			return max(0, r)
		}
		if slope += k.jump; slope+k.at*square >= 0 {
			return k.at
		}
	}
	if r := -slope / square; square > 0 {
		return max(0, r)
	}
	return 1
}

func (p *primal) sort() {
	slices.SortFunc(p.kinks, func(a, b kink) int { return cmp.Compare(a.at, b.at) })
}
