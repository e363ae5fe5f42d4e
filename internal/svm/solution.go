package svm

import (
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// Solution is f(x) + b = Σ_i Beta_i·k(x_i, x) + Bias with its certificate.
type Solution struct {
	// C is what the solution was trained for.
	C float64
	// Beta holds a coefficient for each row, 0 for those that are no support
	// vectors. y_i·Beta_i is between 0 and C_i.
	Beta []float64
	Bias float64
	// Objective is the dual objective Σ y_i·β_i − ½·βᵀKβ. LIBSVM reports its
	// negative.
	Objective float64
	// Gap bounds how far Objective is below its maximum: the least primal objective of the
	// multiples of f with their constants less Objective.
	Gap float64
	// Relative is Gap relative to the larger of the objectives, 0 where it is no more than
	// rounding.
	Relative float64
	// Violation is how far the solution is from the optimality conditions: the
	// largest residual y_i − f(x_i) of a β_i that can rise less the smallest of
	// one that can fall, or 0.
	Violation float64
	// Bounded is the number of variables at a bound that is not zero.
	Bounded int
	// Iterations counts the steps on pairs.
	Iterations int
	Status     rkhs.Status
}

func (s *solver) solution(c float64, status rkhs.Status, violation float64) *Solution {
	sol := &Solution{C: c, Beta: s.coefficients(), Bias: s.bias(), Violation: violation, Iterations: s.steps, Status: status}
	for i, b := range s.beta {
		if b != 0 && (b == s.lo[i] || b == s.hi[i]) {
			sol.Bounded++
		}
	}
	if s.sum != 0 { // the constant is that of the objective: no more than the fraction lies outside
		sol.Bias = s.primal().constant(1)
	}
	g := s.certificate()
	sol.Objective, sol.Gap, sol.Relative = g.dual, g.gap(), g.relative()
	return sol
}

// coefficients returns those of the rows.
func (s *solver) coefficients() []float64 {
	if s.copies == 1 {
		return slices.Clone(s.beta)
	}
	list := make([]float64, len(s.beta)/s.copies)
	for i, b := range s.beta {
		list[s.row(i)] += b
	}
	return list
}

// bias is the mean residual of the variables between their bounds, or the middle
// of what the others allow if there are none.
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
func (s *Solution) Support() []int {
	var list []int
	for i, b := range s.Beta {
		if b != 0 {
			list = append(list, i)
		}
	}
	return list
}

// Decision sets dst_j = f(z_j) + b for the rows of z (m×d), where k and x are
// those of the fit. Its sign is the label. It stores no Gram matrix:
// O(m·support·d).
func (s *Solution) Decision(dst []float64, k kernel.Kernel, x, z compute.Points, workers int) {
	support := s.Support()
	c := make([]float64, len(support))
	for t, i := range support {
		c[t] = s.Beta[i]
	}
	gram.Evaluator{Kernel: k, Workers: workers}.MulOf(compute.ColumnOf(dst), z, x.Pick(support), compute.ColumnOf(c))
	for j := range dst {
		dst[j] += s.Bias
	}
}
