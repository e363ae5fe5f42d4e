package alignment

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/kernel"
)

// Model is a fitted function
//
//	f_o(x) = bias_o + Σ_i a_io·k(x, x_i)
//
// of a learned kernel k. It is immutable and safe for concurrent use.
type Model struct {
	learned Result
	points  compute.Matrix // m×d
	weights compute.Matrix // m×q
	bias    []float64
	inputs  int
	report  Report
	seed    uint64
	workers int
}

// newModel keeps the rows of x with weight.
func newModel(s *settings, learned *Result, x, weights compute.Matrix, bias []float64, rep Report) *Model {
	var list []int
	for i := range weights.Rows {
		if floats.Norm(row(weights, i), 1) > 0 {
			list = append(list, i)
		}
	}
	rep.Support = len(list)
	return &Model{learned: *learned, points: rowsOf(x, list), weights: rowsOf(weights, list), bias: bias, inputs: x.Cols,
		report: rep, seed: s.Seed, workers: s.Workers}
}

// Dims returns the number of inputs d and of outputs q.
func (m *Model) Dims() (inputs, outputs int) { return m.inputs, len(m.bias) }

// Kernel returns the learned kernel, a kernel.Sum of scaled kernels.
func (m *Model) Kernel() kernel.Kernel { return slices.Clone(m.learned.Kernel) }

// Learned returns the outcome of the search.
func (m *Model) Learned() Result {
	r := m.learned
	r.Kernel, r.Steps = slices.Clone(r.Kernel), slices.Clone(r.Steps)
	return r
}

// Report returns the certificate of the model.
func (m *Model) Report() Report { return m.report }

// Seed returns the seed of the fit.
func (m *Model) Seed() uint64 { return m.seed }

// Predict returns f(x), n×q for n rows. O(n·m·(d + q)) for m rows in the model,
// for each kernel in the sum that is no function of the distance of the others.
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
	out, err := m.eval(x)
	if err != nil {
		return err
	}
	return door.Store("alignment", dst, out)
}

func (m *Model) eval(x mat.Matrix) (compute.Matrix, error) {
	rows, err := door.View("alignment", "x", x)
	if err != nil {
		return compute.Matrix{}, err
	}
	if rows.Cols != m.inputs {
		return compute.Matrix{}, fmt.Errorf("alignment: x has %d columns, want %d: %w", rows.Cols, m.inputs, rkhs.ErrShape)
	}
	if err := check(m.learned.Kernel, rows); err != nil {
		return compute.Matrix{}, err
	}
	out := compute.NewMatrix(rows.Rows, len(m.bias))
	if m.points.Rows > 0 {
		kernel.Evaluator{Kernel: m.learned.kernel(), Workers: m.workers}.Mul(out, rows, m.points, m.weights)
	}
	for i := range out.Rows {
		floats.Add(row(out, i), m.bias)
	}
	return out, nil
}
