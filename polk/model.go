package polk

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// Report says how a model was learned.
type Report struct {
	// Kernel, Loss and Lambda are k, l and lam.
	Kernel kernel.Kernel
	Loss   loss.Loss
	Lambda float64
	// Step is the first step size eta_0 of a full mini-batch.
	Step float64
	// Status is rkhs.Stalled if the model has learned next to nothing because the
	// budget was no smaller than the step in most of the steps. Otherwise it is
	// rkhs.IterationLimit after all passes of a fit, rkhs.Cancelled or rkhs.Stopped
	// where one ended early, and rkhs.NotTerminated for a snapshot of a stream.
	Status rkhs.Status
	Totals
}

// Model is a learned function f(x) = b + Σ_j k(d_j, x)·w_j. It is immutable and safe
// for concurrent use.
type Model struct {
	points    compute.Matrix // M×d
	weights   compute.Matrix // M×q
	intercept []float64      // q, zero for none
	seed      uint64
	workers   int
	report    Report
}

// model copies the function.
func (c *core) model() *Model {
	m := &Model{intercept: make([]float64, c.f.outputs), seed: c.set.Seed, workers: c.set.Workers, report: c.report()}
	m.points, m.weights = c.f.export()
	copy(m.intercept, c.tuned.intercept)
	return m
}

func (c *core) report() Report {
	r := Report{Kernel: c.tuned.kernel, Loss: c.set.Loss, Lambda: c.set.Lambda, Totals: c.totals}
	start := *c.set
	start.Schedule = Constant
	r.Step = start.rate(c.tuned, c.set.Batch, 0, 0)
	if c.totals.stalled() {
		r.Status = rkhs.Stalled
	}
	return r
}

// Dims returns the number of inputs d and of outputs q.
func (m *Model) Dims() (inputs, outputs int) { return m.points.Cols, m.weights.Cols }

// Seed returns the seed of the options.
func (m *Model) Seed() uint64 { return m.seed }

// ModelOrder returns the number M of points.
func (m *Model) ModelOrder() int { return m.points.Rows }

// Report says how the model was learned.
func (m *Model) Report() Report {
	r := m.report
	r.Kernel = kernel.Clone(r.Kernel)
	return r
}

// Intercept returns the constant b of each output.
func (m *Model) Intercept() []float64 { return slices.Clone(m.intercept) }

// Points returns a copy of the dictionary, M×d; nil if it is empty.
func (m *Model) Points() *mat.Dense { return denseOf(m.points) }

// Weights returns a copy of the weights, M×q; nil if there are none.
func (m *Model) Weights() *mat.Dense { return denseOf(m.weights) }

func denseOf(m compute.Matrix) *mat.Dense {
	if m.Rows == 0 {
		return nil
	}
	return mat.NewDense(m.Rows, m.Cols, slices.Clone(m.Data))
}

// Predict returns f(x), n×q for n rows. O(n·M·(d + q)).
func (m *Model) Predict(x mat.Matrix) (*mat.Dense, error) {
	var dst mat.Dense
	if err := m.PredictTo(&dst, x); err != nil {
		return nil, err
	}
	return &dst, nil
}

// PredictTo stores f(x) in dst, which must be n×q or empty. Errors wrap
// rkhs.ErrShape, rkhs.ErrEmpty, rkhs.ErrNotFinite and rkhs.ErrDomain.
func (m *Model) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	rows, err := door.View("polk", "x", x)
	if err != nil {
		return err
	}
	if rows.Cols != m.points.Cols {
		return fmt.Errorf("polk: x has %d columns, want %d: %w", rows.Cols, m.points.Cols, rkhs.ErrShape)
	}
	if err := checkKernel(m.report.Kernel, rows); err != nil {
		return err
	}
	out := compute.NewMatrix(rows.Rows, m.weights.Cols)
	kernel.Evaluator{Kernel: m.report.Kernel, Workers: m.workers}.Mul(out, rows, m.points, m.weights)
	addTo(out, m.intercept)
	return door.Store("polk", dst, out)
}
