package alignment

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/nystrom"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/linalg"
)

// ridge is kernel ridge regression with an unpenalised constant,
//
//	min_f,b Σ_i w_i·‖y_i − b − f(x_i)‖² + weight·‖f‖²,
//
// on the rows of examples, where the weights w have mean one. With
// G = K + weight·diag(1/w) and c = G⁻¹1 the solution is f = Σ_i a_i·k(·, x_i) with
// a = G⁻¹(y − b) and b = cᵀy/Σc. The coefficients a sum to zero.
type ridge struct {
	*run
	examples
	kernel  gram.Evaluator
	mean    []float64       // of the targets
	centred compute.Matrix  // targets
	factor  *nystrom.Factor // of G, for an exact solution
	ones    []float64       // G⁻¹1
}

// solution is a function spanned by points.
type solution struct {
	points    compute.Matrix
	weights   compute.Matrix
	intercept []float64
	report    Report
}

// exactRows is the largest number of rows for an exact solution.
const exactRows = 16000

func newRidge(r *run, k kernel.Kernel, e examples) *ridge {
	f := &ridge{run: r, examples: e, kernel: gram.Evaluator{Kernel: k, Workers: r.options.Workers}, centred: compute.Clone(e.y)}
	if e.weights == nil {
		f.mean = linalg.CentreColumns(compute.Dense(f.centred))
		return f
	}
	f.mean = e.weights.Means(f.centred)
	for i := range f.centred.Rows {
		floats.Sub(compute.Row(f.centred, i), f.mean)
	}
	return f
}

// fit solves the problem. A stopped fit returns the solution on a few rows.
func (f *ridge) fit(weight float64) (*solution, error) {
	solve := f.exact
	if n := float64(f.x.Rows); f.x.Rows > exactRows || 8*n*n > float64(f.options.MemoryLimit) {
		solve = f.onPoints
	}
	s, err := solve(weight)
	if err == nil && s != nil && !(compute.Finite(s.report.Objective) && compute.Finite(s.report.Violation)) {
		err = fmt.Errorf("alignment: targets or features are too large: %w", rkhs.ErrDiverged)
	}
	if err != nil || s != nil {
		return s, err
	}
	return f.onFewRows(weight)
}

// onFewRows returns the solution of a stopped fit.
func (f *ridge) onFewRows(weight float64) (*solution, error) {
	const few = 1000
	rows := rng.New(f.options.Seed, "alignment rows of a stopped fit", 0).Sample(f.x.Rows, min(few, f.x.Rows))
	unstopped := &run{options: f.options, monitor: progress.New(context.Background(), nil, pkg)}
	defer unstopped.monitor.Close()
	s, err := newRidge(unstopped, f.kernel.Kernel, f.pick(rows)).exact(weight)
	if s != nil {
		s.report.Status = f.monitor.Status()
	}
	return s, err
}

// exact uses all rows as points. The weight grows tenfold until G is positive definite to
// working precision. It returns nil if the fit was stopped. O(n³/3).
func (f *ridge) exact(weight float64) (*solution, error) {
	n, q := f.x.Rows, f.y.Cols
	f.factor = nystrom.NewFactor(f.kernel, compute.DensePoints(f.x), weight, f.weights, f.progress("factor"))
	if f.factor == nil {
		if f.monitor.Stopped() {
			return nil, nil
		}
		return nil, fmt.Errorf("alignment: the Gram matrix of the learned kernel is not positive definite for any ridge: %w", rkhs.ErrDiverged)
	}
	solved := compute.NewMatrix(n, q+1) // G⁻¹y and G⁻¹1
	compute.CopyTo(compute.Columns(solved, 0, q), f.centred)
	for i := range n {
		compute.Row(solved, i)[q] = 1
	}
	f.factor.SolveTo(solved, solved)
	f.ones = compute.Clone(compute.Columns(solved, q, q+1)).Data
	total := floats.Sum(f.ones)
	s := &solution{points: f.x, weights: compute.Clone(compute.Columns(solved, 0, q)), intercept: make([]float64, q)}
	for j := range q {
		b := blas64.Dot(compute.Vector(f.ones), compute.Column(f.centred, j)) / total
		s.intercept[j] = f.mean[j] + b
		for i, v := range f.ones {
			s.weights.Data[i*q+j] -= float64(b * v)
		}
	}
	f.certify(s, f.factor.Noise)
	return s, nil
}

// predict returns the values of a solution.
func (f *ridge) predict(s *solution, x compute.Matrix) compute.Matrix {
	p := compute.NewMatrix(x.Rows, len(s.intercept))
	f.kernel.Mul(p, x, s.points, s.weights)
	compute.AddRow(p, s.intercept)
	return p
}

// leaveOneOut returns leave-one-out predictions of an exact solution, or no sample if it
// was stopped. With P = G⁻¹ − ccᵀ/Σc the residual of row i is a_i/P_ii (Rasmussen and
// Williams, "Gaussian processes for machine learning", 2006, eq. (5.12)). O(n³/3).
func (f *ridge) leaveOneOut(s *solution) calibrate.Sample {
	diagonal := f.factor.InverseDiagonal(f.progress("leave one out"))
	if diagonal == nil {
		return calibrate.Sample{}
	}
	total, residuals := floats.Sum(f.ones), compute.Clone(s.weights)
	for i, c := range f.ones {
		noise := f.factor.Noise / f.weights.At(i)
		diagonal[i] = noise * (diagonal[i] - c*c/total)
		floats.Scale(noise, compute.Row(residuals, i))
	}
	unseen := compute.Clone(residuals)
	calibrate.LeaveOut(unseen, diagonal, f.weights.Multiplicity(f.firstCopies()))
	return calibrate.LeaveOneOut(compute.DensePoints(f.x), f.centred, f.mean, unseen, residuals, f.class, f.weights)
}

// progress returns a function that reports finished rows, and whether to continue.
func (f *ridge) progress(phase string) func(done int) bool {
	return func(done int) bool { return !f.stopped(phase, done, f.x.Rows) }
}

// stopped reports progress, and whether the fit has to stop.
func (f *ridge) stopped(phase string, done, total int) bool {
	f.monitor.Report(rkhs.Progress{Phase: phase, Done: done, Total: total, Iteration: done, ModelOrder: f.x.Rows,
		Objective: math.NaN(), Gap: math.NaN()})
	return f.monitor.Stopped()
}

// panelRows is the number of rows that are computed between two progress reports.
const panelRows = 512

// certify sets the report: the objective, and the relative residual of the equations
// (K + weight·diag(1/w))·a = y − b unless the fit is stopped.
func (f *ridge) certify(s *solution, weight float64) {
	s.report = Report{Ridge: weight, Status: rkhs.Converged}
	objective, violation, size := 0.0, 0.0, 0.0
	ka := compute.NewMatrix(min(f.x.Rows, panelRows), f.y.Cols)
	for from, to := range compute.Chunks(f.x.Rows, panelRows) {
		if f.stopped("certificate", from, f.x.Rows) {
			return
		}
		part := compute.Rows(ka, 0, to-from)
		f.kernel.Mul(part, compute.Rows(f.x, from, to), f.x, s.weights)
		for i := from; i < to; i++ {
			for j, v := range compute.Row(part, i-from) {
				a, y := compute.Row(s.weights, i)[j], compute.Row(f.centred, i)[j]
				residual := y - (s.intercept[j] - f.mean[j]) - v
				objective += float64(f.weights.At(i)*residual*residual) + float64(weight*a*v)
				e := residual - float64(weight/f.weights.At(i)*a)
				violation, size = violation+float64(e*e), size+float64(y*y)
			}
		}
	}
	s.report.Objective = objective
	if size > 0 {
		s.report.Violation = math.Sqrt(violation / size)
	}
}
