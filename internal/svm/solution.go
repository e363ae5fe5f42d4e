package svm

import (
	"math"

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
	sol := &Solution{C: c, Beta: make([]float64, len(s.beta)/s.copies), Bias: s.bias(), Violation: violation, Iterations: s.steps, Status: status}
	for i, b := range s.beta {
		sol.Beta[s.row(i)] += b
		if b != 0 && (b == s.lo[i] || b == s.hi[i]) {
			sol.Bounded++
		}
	}
	if s.sum != 0 { // the best constant leaves no more than the fraction nu outside
		sol.Bias = s.primal().constant(1)
	}
	g := s.certificate()
	sol.Objective, sol.Gap, sol.Relative = g.dual, g.gap(), g.relative()
	return sol
}

// bias returns the mean residual of the variables between their bounds. If there are none, it
// returns the middle of the interval that the others allow.
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
