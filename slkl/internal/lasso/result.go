package lasso

import (
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/monitor"
)

// Result is how a solution ended.
type Result struct {
	Certificate
	ModelOrder int // m0, the number of columns with weight
	// Steps counts accepted coordinate steps, Solves the steps on the optimality
	// conditions, Refactorisations how often the inverse G was computed afresh.
	Steps, Solves, Refactorisations int
	Status                          rkhs.Status
}

// run is a solution under way: what it is to reach, its result so far, and who may
// end it.
type run struct {
	result    Result
	nu, tau   float64 // tau = √nu
	tolerance float64
	limit     int // of Steps + Solves
	monitor   *monitor.Monitor
}

// goesOn reports whether the solver may take another step.
func (s *run) goesOn() bool { return s.result.Steps+s.result.Solves < s.limit && !s.monitor.Stopped() }

// report hands on the certificate of a model of so many columns.
func (s *run) report(order int) {
	s.monitor.Report(s.result.Progress(s.result.Steps+s.result.Solves, order))
}

// reportDescent hands on the objective of the coordinate descent, whose duality
// gap is not known.
func (s *run) reportDescent(objective float64, order int) {
	s.monitor.Report(Certificate{Objective: objective, Gap: math.NaN()}.Progress(s.result.Steps, order))
}

// outcome is the status of a solver that ends, done or not.
func (s *run) outcome(done bool) rkhs.Status { return Outcome(s.monitor, done, !s.goesOn()) }

// Outcome is the status of a solver that is done, or was stopped, or is at its
// limit, or out of progress.
func Outcome(r *monitor.Monitor, done, limit bool) rkhs.Status {
	switch {
	case done:
		return rkhs.Converged
	case r.Stopped():
		return r.Status()
	case limit:
		return rkhs.IterationLimit
	}
	return rkhs.Stalled
}
