package alignment

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/linalg"
)

// ridge is the regression on the rows of one kernel.
type ridge struct {
	examples
	kernel  kernel.Evaluator
	gram    compute.Matrix
	mean    []float64
	centred compute.Matrix // targets
	workers int
}

func newRidge(k kernel.Kernel, e examples, workers int) *ridge {
	f := &ridge{examples: e, kernel: kernel.Evaluator{Kernel: k, Workers: workers},
		gram: compute.NewMatrix(e.x.Rows, e.x.Rows), centred: compute.Clone(e.y), workers: workers}
	f.kernel.Gram(f.gram, e.x)
	f.mean = linalg.CentreColumns(f.centred)
	return f
}

// solve returns (K + weight·I)⁻¹(Y − Ȳ), or false where the matrix is singular to
// working precision.
func (f *ridge) solve(weight float64) (compute.Matrix, bool) {
	u, a := compute.Clone(f.gram), compute.Clone(f.centred)
	for i := range u.Rows {
		u.Data[i*u.Stride+i] += weight
	}
	if !compute.Cholesky(u, f.workers) {
		return a, false
	}
	compute.SolveUpper(u, a, true, f.workers)
	compute.SolveUpper(u, a, false, f.workers)
	return a, true
}

// choose returns the one of some weights with the smallest mean squared error on the
// rows to choose by, and that error. It begins with the largest and ends once three in
// a row have gained nothing.
func (f *ridge) choose(weights []float64, check examples, r *monitor.Monitor) (weight, least float64) {
	list := slices.Sorted(slices.Values(weights))
	slices.Reverse(list)
	cross := compute.NewMatrix(check.x.Rows, f.x.Rows)
	f.kernel.Cross(cross, check.x, f.x)
	search := choose.NewEarlyStopping(list[0], 3, 0)
	for i := 0; i < len(list) && !search.Over() && !r.Stopped(); i++ {
		a, ok := f.solve(list[i])
		if !ok {
			break
		}
		e := f.errors(a, cross, check.y)
		search.Add(list[i], e)
		r.Report(rkhs.Progress{Phase: "search", Done: i + 1, Total: len(list), Iteration: i + 1, ModelOrder: f.x.Rows, Objective: e, Gap: math.NaN()})
	}
	return search.Best(), search.Least()
}

// errors returns the mean squared error of f on rows whose kernel values with the
// rows of the fit are given.
func (f *ridge) errors(a, cross, y compute.Matrix) float64 {
	p := compute.Clone(y)
	for i := range p.Rows {
		floats.Sub(compute.Row(p, i), f.mean)
	}
	blas64.Scal(-1, compute.Vector(p.Data))
	compute.MulNN(p, cross, a, f.workers)
	return floats.Dot(p.Data, p.Data) / float64(len(p.Data))
}

// fit solves for the weight, or one larger, tenfold each time, if the matrix is
// singular with it. A fit that was stopped before returns zeros.
func (f *ridge) fit(weight float64, r *monitor.Monitor) (compute.Matrix, Report, error) {
	rep := Report{Ridge: weight, Status: r.Status()}
	if r.Stopped() {
		return compute.NewMatrix(f.x.Rows, f.y.Cols), rep, nil
	}
	a, ok := f.solve(weight)
	if sum := floats.Sum(f.gram.Data); !ok && !compute.Finite(sum) {
		return a, rep, fmt.Errorf("alignment: values of the learned kernel have the sum %v: %w", sum, rkhs.ErrDiverged)
	}
	for ; !ok && rep.Ridge < math.MaxFloat64/10; a, ok = f.solve(rep.Ridge) {
		rep.Ridge *= 10
	}
	rep.Objective, rep.Violation = f.certify(a, rep.Ridge)
	return a, rep, nil
}

// certify returns the objective at a, which is weight·aᵀ(Y − Ȳ) at the solution,
// and the relative residual of the equations.
func (f *ridge) certify(a compute.Matrix, weight float64) (objective, residual float64) {
	r := compute.Clone(f.centred)
	blas64.Scal(-1, compute.Vector(r.Data))
	compute.MulNN(r, f.gram, a, f.workers)
	// r is now K·a − y, the negative residual of the regression.
	objective = floats.Dot(r.Data, r.Data)
	for i, v := range a.Data {
		objective += weight * v * (r.Data[i] + f.centred.Data[i])
	}
	floats.AddScaled(r.Data, weight, a.Data)
	size := floats.Norm(f.centred.Data, 2)
	if size == 0 {
		return objective, 0
	}
	return objective, floats.Norm(r.Data, 2) / size
}
