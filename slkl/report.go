package slkl

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rkhs-go/rkhs"
)

// Report certifies the solution of one output, or of all outputs that share
// their mu.
type Report struct {
	// Nu and Lambda are the parameters of the objective (14). Nu was chosen by
	// cross-validation unless it was given.
	Nu, Lambda float64
	// NuMax is the smallest nu whose solution is zero: where Nu ≥ NuMax the
	// model is the intercept alone.
	NuMax float64
	// Objective is ‖y − Cw‖² + 2·√(lam·nu)·‖w‖₁ at the weights of the model (the
	// norm being Σ‖w_m‖₂ for outputs that share their mu). Its minimum is that of
	// F, and so is its value at the minimum.
	Objective float64
	// Gap is the duality gap: Objective exceeds its minimum by no more. It is
	// computed from the sums over the rows, to about 1e-16·Σ|w_l·P_lm·w_m|, which
	// grows beyond the tolerance where nearly equal columns have large weights of
	// both signs.
	Gap float64
	// KKT is the largest violation of the optimality conditions |c_mᵀr| ≤ tau,
	// and = tau where a column has weight, in units of tau = √(lam·nu).
	KKT float64
	// ModelOrder is m0, the number of columns with weight.
	ModelOrder int
	// Steps counts accepted coordinate steps, Solves the steps on the optimality
	// conditions, Refactorisations how often the inverse G was computed afresh.
	Steps, Solves, Refactorisations int
	// Status says how the solver ended. Stalled means that rounding leaves no
	// progress although Gap is above the tolerance.
	Status rkhs.Status
}

// RelativeGap returns Gap as a fraction of Objective.
func (r Report) RelativeGap() float64 {
	if r.Gap == 0 {
		return 0
	}
	return r.Gap / r.Objective
}

func (r *Report) take(c certificate) { r.Objective, r.Gap, r.KKT = c.objective, c.gap, c.kkt }

// withLambda returns the report of a problem solved with lam = 1 in terms of
// another lam.
func (r Report) withLambda(lam float64) Report {
	r.Lambda = lam
	r.Nu /= lam
	r.NuMax /= lam
	return r
}

// reporter passes progress on, one report at a time, and knows when to stop.
type reporter struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	rec    rkhs.Recorder
	start  time.Time

	mu sync.Mutex
}

// errRecorder marks an error of the Recorder.
type errRecorder struct{ error }

func (e errRecorder) Unwrap() error { return e.error }

func newReporter(ctx context.Context, rec rkhs.Recorder) *reporter {
	r := &reporter{rec: rec, start: time.Now()}
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	return r
}

// quiet returns a reporter that stops when r does, and reports nothing.
func (r *reporter) quiet() *reporter { return &reporter{ctx: r.ctx, cancel: r.cancel, start: r.start} }

func (r *reporter) stopped() bool { return r.ctx.Err() != nil }

func (r *reporter) report(iteration, order int, c certificate) {
	if r.rec == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped() { // perhaps by the report that this one waited for
		return
	}
	err := r.rec.Record(rkhs.Progress{Iteration: iteration, Objective: c.objective, ModelOrder: order, Gap: c.gap, Elapsed: time.Since(r.start)})
	if err != nil {
		r.cancel(errRecorder{err})
	}
}

// outcome is the status of a solver that is done, or at its limit, or stopped,
// or out of progress.
func (r *reporter) outcome(done, limit bool) rkhs.Status {
	switch {
	case done:
		return rkhs.Converged
	case r.stopped() && errors.As(context.Cause(r.ctx), &errRecorder{}):
		return rkhs.Stopped
	case r.stopped():
		return rkhs.Cancelled
	case limit:
		return rkhs.IterationLimit
	}
	return rkhs.Stalled
}

// why returns an error that wraps that of the Recorder, or the error of the
// context and its cause.
func (r *reporter) why() error {
	cause := context.Cause(r.ctx)
	if errors.As(cause, &errRecorder{}) || errors.Is(cause, r.ctx.Err()) {
		return fmt.Errorf("slkl: fit stopped: %w", cause)
	}
	return fmt.Errorf("slkl: fit stopped: %w: %w", r.ctx.Err(), cause)
}

// err returns why the fit with these reports is not what was asked for, or nil.
// Stalling within a millionth of the optimum is not held against it.
func (r *reporter) err(reports []Report, epsilon float64) error {
	if r.stopped() {
		return r.why()
	}
	for o, rep := range reports {
		if epsilon > 0 && rep.Status == rkhs.Stalled {
			return fmt.Errorf("slkl: output %d: the descent lost all digits after %d steps: %w", o, rep.Steps, rkhs.ErrDiverged)
		}
		if rep.Status == rkhs.IterationLimit || rep.Status == rkhs.Stalled && !(rep.RelativeGap() <= 1e-6) {
			return fmt.Errorf("slkl: output %d ended with status %v at a relative gap of %.1e: %w", o, rep.Status, rep.RelativeGap(), rkhs.ErrNotConverged)
		}
	}
	return nil
}
