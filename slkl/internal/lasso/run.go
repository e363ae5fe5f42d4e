package lasso

import (
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/monitor"
)

// Result is the result of Solve.
type Result struct {
	Certificate
	ModelOrder int // m0, the number of columns with weight
	// Steps counts accepted coordinate steps, Solves counts steps on the optimality conditions,
	// Refactorisations counts recomputations of the inverse G.
	Steps, Solves, Refactorisations int
	Status                          rkhs.Status
}

// run is the state of one call of Solve.
type run struct {
	result    Result
	nu, tau   float64 // tau = √nu
	tolerance float64
	limit     int // of Steps + Solves
	monitor   *monitor.Monitor
}

// goesOn reports whether the solver may make another step.
func (s *run) goesOn() bool {
	return s.result.Steps+s.result.Solves < s.limit && !s.monitor.Stopped()
}

// report reports the progress of a model of order columns.
func (s *run) report(order int) {
	s.monitor.Report(s.result.Progress(s.result.Steps+s.result.Solves, order))
}

// reportDescent reports the progress of the coordinate descent, which has no duality gap.
func (s *run) reportDescent(objective float64, order int) {
	s.monitor.Report(Certificate{Objective: objective, Gap: math.NaN()}.Progress(s.result.Steps, order))
}

// outcome returns the status of a solver that ends.
func (s *run) outcome(done bool) rkhs.Status { return Outcome(s.monitor, done, !s.goesOn()) }

// Outcome returns the status of a solver that has converged, was stopped by r, is at its limit
// of steps, or makes no progress.
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
