package alignment

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/centres"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/linalg"
)

// ridge is the regression with a constant that is not penalised,
//
//	min_f,b Σ_i w_i·‖y_i − b − f(x_i)‖² + weight·‖f‖²,
//
// on the rows of one kernel, with weights w of mean one or none. With
// G = K + weight·diag(1/w) and c = G⁻¹1 the solution is
// f = Σ_i a_i·k(·, x_i), a = G⁻¹(y − b) and b = cᵀy/Σc: the coefficients sum to zero, and
// so do the residuals times their weights.
type ridge struct {
	examples
	kernel  gram.Evaluator
	mean    []float64
	centred compute.Matrix  // targets
	factor  *centres.Factor // of G, of an exact solution
	ones    []float64       // G⁻¹1
	options *settings
	monitor *monitor.Monitor
}

// solution is f on the points that it sits on.
type solution struct {
	points    compute.Matrix
	weights   compute.Matrix
	intercept []float64
	report    Report
}

// exactRows is the number of rows up to which all of them are points of the solution, if
// there is memory for their Gram matrix.
const exactRows = 16000

func newRidge(k kernel.Kernel, e examples, s *settings, r *monitor.Monitor) *ridge {
	f := &ridge{examples: e, kernel: gram.Evaluator{Kernel: k, Workers: s.Workers}, centred: compute.Clone(e.y), options: s, monitor: r}
	if e.weights == nil {
		f.mean = linalg.CentreColumns(f.centred)
	} else {
		f.mean = e.centre(f.centred)
	}
	return f
}

// fit solves for the weight. A fit that is stopped returns the solution on a few rows.
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
	const few = 1000
	rows := rng.New(f.options.Seed, "alignment rows of a stopped fit", 0).Sample(f.x.Rows, min(few, f.x.Rows))
	r := monitor.New(context.Background(), nil, pkg)
	defer r.Close()
	if s, err = newRidge(f.kernel.Kernel, f.pick(rows), f.options, r).exact(weight); s != nil {
		s.report.Status = f.monitor.Status()
	}
	return s, err
}

// exact takes all rows for points; the weight grows tenfold while the matrix is singular
// with it to working precision. It returns nil if it was stopped. O(n³/3).
func (f *ridge) exact(weight float64) (*solution, error) {
	n, q := f.x.Rows, f.y.Cols
	f.factor = centres.NewFactor(f.kernel, compute.DensePoints(f.x), weight, f.weights, func(done int) bool { return !f.stopped("factor", done, n) })
	if f.factor == nil {
		if f.monitor.Stopped() {
			return nil, nil
		}
		return nil, fmt.Errorf("alignment: the Gram matrix of the learned kernel is not positive definite for any ridge: %w", rkhs.ErrDiverged)
	}
	weight = f.factor.Noise
	ones := compute.NewMatrix(n, q+1)
	compute.CopyTo(compute.Columns(ones, 0, q), f.centred)
	for i := range n {
		ones.Data[i*ones.Stride+q] = 1
	}
	f.factor.SolveTo(ones, ones)
	s := &solution{points: f.x, weights: compute.NewMatrix(n, q), intercept: make([]float64, q)}
	c := compute.Clone(compute.Columns(ones, q, q+1)).Data
	f.ones = c
	total := floats.Sum(c)
	for j := range q {
		b := blas64.Dot(compute.Vector(c), compute.Column(f.centred, j)) / total
		s.intercept[j] = f.mean[j] + b
		for i, v := range c {
			s.weights.Data[i*q+j] = ones.Data[i*ones.Stride+j] - float64(b*v)
		}
	}
	f.certify(s, weight)
	return s, nil
}

// predict returns the values of a solution.
func (f *ridge) predict(s *solution, x compute.Matrix) compute.Matrix {
	p := compute.NewMatrix(x.Rows, len(s.intercept))
	f.kernel.Mul(p, x, s.points, s.weights)
	compute.AddRow(p, s.intercept)
	return p
}

// panelRows is the number of rows that are computed between two looks at the monitor.
const panelRows = 512

// leftOut returns what an exact solution for all other rows predicts of each, or no sample if it was stopped: with P = G⁻¹ −
// ccᵀ/Σc the residual of row i is a_i/P_ii then (Rasmussen and Williams, "Gaussian processes for machine learning",
// 2006, eq. (5.12)). O(n³/3).
func (f *ridge) leftOut(s *solution) calibrate.Sample {
	n := f.x.Rows
	left := f.factor.InverseDiagonal(func(done int) bool { return !f.stopped("leave one out", done, n) })
	if left == nil {
		return calibrate.Sample{}
	}
	total, rest := floats.Sum(f.ones), compute.Clone(s.weights)
	for i, c := range f.ones {
		noise := f.factor.Noise / f.weights.At(i)
		left[i] = noise * (left[i] - c*c/total)
		floats.Scale(noise, compute.Row(rest, i))
	}
	others := compute.Clone(rest)
	calibrate.LeaveOut(others, left, f.weights.Multiplicity(compute.DensePoints(f.x).FirstCopies(f.y, f.class)))
	return calibrate.LeftOut(compute.DensePoints(f.x), f.centred, f.mean, others, rest, f.class, f.weights)
}

// stopped reports progress, and whether the fit has to stop.
func (f *ridge) stopped(phase string, done, total int) bool {
	f.monitor.Report(rkhs.Progress{Phase: phase, Done: done, Total: total, Iteration: done, ModelOrder: f.x.Rows, Objective: math.NaN(), Gap: math.NaN()})
	return f.monitor.Stopped()
}

// certify sets the report: the objective, and the relative residual of the equations
// (K + weight·diag(1/w))·a = y − b, if there is time for it.
func (f *ridge) certify(s *solution, weight float64) {
	s.report = Report{Ridge: weight, Status: rkhs.Converged}
	objective, residual, size := 0.0, 0.0, 0.0
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
				left := y - (s.intercept[j] - f.mean[j]) - v
				objective += float64(f.weights.At(i)*left*left) + float64(weight*a*v)
				e := left - float64(weight/f.weights.At(i)*a)
				residual, size = residual+float64(e*e), size+float64(y*y)
			}
		}
	}
	s.report.Objective = objective
	if size > 0 {
		s.report.Violation = math.Sqrt(residual / size)
	}
}
