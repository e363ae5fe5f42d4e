package descent

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// FoldStep returns the step of NewtonStep on all rows of a sample. It selects the rho and η with the
// lowest loss on disjoint sets of rows, each predicted by the step on all other rows. A quarter of few
// rows can be separable by chance, and then selects a much too long step. The criterion is the mean
// loss on the sets. O(n²·m + n³) for n rows and m columns.
func (s *Stepper) FoldStep(all Sample, sets [][]int) (m Update, criterion float64) {
	b := s.Block()
	z := s.Features(b, all.X)
	d := newDualStep(s, z, all)
	best, rho, length := d.constantLoss(sets), 0.0, 0.0
	for _, r := range newtonRidges {
		for i, v := range d.losses(sets, r) {
			if v < best {
				best, rho, length = v, r, newtonLengths[i]
			}
		}
	}
	criterion = best / d.total(sets)
	if length == 0 {
		return Update{}, criterion
	}
	alpha, shift, ok := d.solve(compute.Indices(all.X.Rows), rho)
	if !ok {
		return Update{}, criterion
	}
	a := compute.NewMatrix(z.Cols, alpha.Cols)
	compute.MulTN(a, z, alpha, s.workers)
	blas64.Scal(length, compute.Vector(a.Data))
	floats.Scale(length, shift)
	return Update{Block: b, Decay: 1, Step: a, Shift: shift}, criterion
}

// dualStep holds the equations of a step with one unknown for each of the few rows,
//
//	(K + λ/h + λ·W⁻¹)·α = r,   K = ZZᵀ,  λ = rho·tr(WK),
//
// with the weights W and r = −l'(f)/c. The step of the coefficients is Zᵀα. The step of the constant is
// λ/h·Σα, with the damping h of NewtonStep.
type dualStep struct {
	sample  Sample
	k, r    compute.Matrix
	damping float64 // h/Σw
	workers int
}

func newDualStep(p *Stepper, z compute.Matrix, s Sample) *dualStep {
	k, r := compute.NewMatrix(z.Rows, z.Rows), compute.NewMatrix(s.Scores.Rows, s.Scores.Cols)
	d := &dualStep{s, k, r, float64(p.Steps+2) / 2, p.workers}
	compute.AddRowGram(d.k, z, p.workers)
	compute.Mirror(d.k)
	s.Risk.Descent(d.r, s.Scores, 1/loss.StepCurvature(s.Risk.Loss()))
	return d
}

// solve returns α and the step of the constant of a subset of the rows. ok is false if the equations
// are singular to working precision.
func (d *dualStep) solve(rows []int, rho float64) (alpha compute.Matrix, shift []float64, ok bool) {
	weights := d.sample.Risk.Weights.Pick(rows)
	total, trace := weights.Total(len(rows)), 0.0
	for i, row := range rows {
		trace += float64(weights.At(i) * compute.Row(d.k, row)[row])
	}
	ridge := rho * total * max(trace/total, smallestTrace)
	constant := ridge / (d.damping * total)
	a, alpha := compute.NewMatrix(len(rows), len(rows)), compute.Pick(d.r, rows)
	for i, row := range rows {
		for j, other := range rows {
			a.Data[i*a.Stride+j] = math.Sqrt(weights.At(i)*weights.At(j)) * (compute.Row(d.k, row)[other] + constant)
		}
		a.Data[i*a.Stride+i] += ridge
		floats.Scale(math.Sqrt(weights.At(i)), compute.Row(alpha, i))
	}
	if !compute.Cholesky(a, d.workers) {
		return alpha, nil, false
	}
	compute.SolveUpper(a, alpha, true, d.workers)
	compute.SolveUpper(a, alpha, false, d.workers)
	shift = make([]float64, alpha.Cols)
	for i := range rows {
		floats.Scale(math.Sqrt(weights.At(i)), compute.Row(alpha, i))
		floats.Add(shift, compute.Row(alpha, i))
	}
	floats.Scale(constant, shift)
	return alpha, shift, true
}

// losses returns the loss on the sets for each length of the step.
func (d *dualStep) losses(sets [][]int, rho float64) []float64 {
	sums := make([]float64, len(newtonLengths))
	for _, set := range sets {
		others := calibrate.Others(d.k.Rows, set)
		alpha, shift, ok := d.solve(others, rho)
		if !ok {
			return nil
		}
		part := compute.NewMatrix(len(set), len(others))
		for i, row := range set {
			for j, other := range others {
				part.Data[i*part.Stride+j] = compute.Row(d.k, row)[other]
			}
		}
		change := compute.NewMatrix(len(set), alpha.Cols)
		compute.MulNN(change, part, alpha, d.workers)
		compute.AddRow(change, shift)
		for i, length := range newtonLengths {
			f := compute.Pick(d.sample.Scores, set)
			blas64.Axpy(length, compute.Vector(change.Data), compute.Vector(f.Data))
			sums[i] += d.sample.Risk.Ordered(set).Value(f)
		}
	}
	return sums
}

// constantLoss returns the loss on the sets without a step.
func (d *dualStep) constantLoss(sets [][]int) (sum float64) {
	for _, set := range sets {
		sum += d.sample.Risk.Ordered(set).Value(compute.Pick(d.sample.Scores, set))
	}
	return sum
}

// total returns the weight of the sets.
func (d *dualStep) total(sets [][]int) (sum float64) {
	for _, set := range sets {
		sum += d.sample.Risk.Ordered(set).Total()
	}
	return sum
}
