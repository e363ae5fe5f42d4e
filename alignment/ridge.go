package alignment

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/linalg"
)

// Fit learns a kernel from rows x (n×d) and targets y (n×q) as Search does, and
// then the function
//
//	min_f Σ_i ‖y_i − ȳ − f(x_i)‖² + ridge·‖f‖²
//
// of its space. Ridge, and Shrink where it applies, are chosen on validation
// rows; unless those were given, kernel and function are then learned from all
// rows. Where all rows are equal, or all targets, the model is the mean of the
// targets in effect. Nil options mean the defaults.
//
// It holds two n×n matrices: O(n²) memory, O(n³) time for each value of Ridge.
// For many rows, search on some and give the kernel to another learner. A fit
// that is cancelled, or stopped by the Recorder, returns its model so far
// together with the error.
func Fit(ctx context.Context, x, y mat.Matrix, opts *Options) (*Model, error) {
	s, err := opts.settings()
	if err != nil {
		return nil, err
	}
	t, err := s.numbers(x, y)
	if err != nil {
		return nil, err
	}
	if err := s.fits("Gram matrix and its factor", 2*t.x.Rows*t.x.Rows); err != nil {
		return nil, err
	}
	r := monitor.New(ctx, s.Recorder, "alignment")
	defer r.Close()
	m, err := s.regress(t, r)
	if err != nil {
		return nil, err
	}
	return m, r.Err()
}

// regress chooses on the rows set aside and fits to all rows.
func (s *settings) regress(t *task, r *monitor.Monitor) (*Model, error) {
	s.prepare(t, len(s.Ridge) > 1)
	learned, err := s.chooseShrink(t, r)
	if err != nil {
		return nil, err
	}
	from := t.examples(t.learn)
	weight := s.Ridge[len(s.Ridge)/2]
	validation := 0.0
	if t.check.x.Rows > 0 {
		weight, validation = s.chooseRidge(newRidge(learned, from, s.Workers), t.check, r)
	}
	if len(t.learn) < t.x.Rows && !r.Stopped() {
		if learned, err = s.learn(t.x, t.y, learned.Shrink, r); err != nil {
			return nil, err
		}
		from = t.examples(span(t.x.Rows))
	}
	return newRidge(learned, from, s.Workers).model(s, weight, validation, r)
}

// ridge is the regression on the rows of one kernel.
type ridge struct {
	examples
	learned *Result
	gram    compute.Matrix
	mean    []float64
	centred compute.Matrix // targets
	workers int
}

func newRidge(learned *Result, e examples, workers int) *ridge {
	f := &ridge{examples: e, learned: learned, gram: compute.NewMatrix(e.x.Rows, e.x.Rows), centred: clone(e.y), workers: workers}
	kernel.Evaluator{Kernel: learned.kernel(), Workers: workers}.Gram(f.gram, e.x)
	f.mean = linalg.CentreColumns(f.centred)
	return f
}

// solve returns (K + weight·I)⁻¹(Y − Ȳ), or false where the matrix is singular to
// working precision.
func (f *ridge) solve(weight float64) (compute.Matrix, bool) {
	u, a := clone(f.gram), clone(f.centred)
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

// chooseRidge returns the weight of the smallest mean squared error on the rows
// to choose by, and that error. It begins with the largest and ends once three in
// a row have gained nothing.
func (s *settings) chooseRidge(f *ridge, check examples, r *monitor.Monitor) (weight, validation float64) {
	list := slices.Sorted(slices.Values(s.Ridge))
	slices.Reverse(list)
	cross := compute.NewMatrix(check.x.Rows, f.x.Rows)
	kernel.Evaluator{Kernel: f.learned.kernel(), Workers: s.Workers}.Cross(cross, check.x, f.x)
	weight, validation = list[0], math.Inf(1)
	for i, worse := 0, 0; i < len(list) && worse < 3 && !r.Stopped(); i++ {
		a, ok := f.solve(list[i])
		if !ok {
			break
		}
		e := f.errors(a, cross, check.y)
		if worse++; e < validation {
			weight, validation, worse = list[i], e, 0
		}
		r.Report(rkhs.Progress{Iteration: i + 1, ModelOrder: f.x.Rows, Objective: e, Gap: math.NaN()})
	}
	return weight, validation
}

// errors returns the mean squared error of f on rows whose kernel values with the
// rows of the fit are given.
func (f *ridge) errors(a, cross, y compute.Matrix) float64 {
	p := clone(y)
	for i := range p.Rows {
		floats.Sub(row(p, i), f.mean)
	}
	blas64.Scal(-1, vector(p.Data))
	compute.MulNN(p, cross, a, f.workers)
	return floats.Dot(p.Data, p.Data) / float64(len(p.Data))
}

// model solves for the weight, or one larger, tenfold each time, if the matrix is
// singular with it.
func (f *ridge) model(s *settings, weight, validation float64, r *monitor.Monitor) (*Model, error) {
	rep := Report{Ridge: weight, Validation: finiteOrZero(validation), Status: r.Status()}
	if r.Stopped() {
		return newModel(s, f.learned, f.x, compute.NewMatrix(f.x.Rows, f.y.Cols), f.mean, rep), nil
	}
	a, ok := f.solve(weight)
	if sum := floats.Sum(f.gram.Data); !ok && (math.IsNaN(sum) || math.IsInf(sum, 0)) {
		return nil, fmt.Errorf("alignment: values of the learned kernel have the sum %v: %w", sum, rkhs.ErrDiverged)
	}
	for ; !ok && rep.Ridge < math.MaxFloat64/10; a, ok = f.solve(rep.Ridge) {
		rep.Ridge *= 10
	}
	rep.Objective, rep.Violation = f.certify(a, rep.Ridge)
	return newModel(s, f.learned, f.x, a, f.mean, rep), nil
}

// certify returns the objective at a, which is weight·aᵀ(Y − Ȳ) at the solution,
// and the relative residual of the equations.
func (f *ridge) certify(a compute.Matrix, weight float64) (objective, residual float64) {
	r := clone(f.centred)
	blas64.Scal(-1, vector(r.Data))
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

func finiteOrZero(v float64) float64 {
	if v-v != 0 {
		return 0
	}
	return v
}
