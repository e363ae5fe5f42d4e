package slkl

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/kernel"
)

// Model is a fitted function
//
//	f_o(x) = intercept_o + Σ_m w_mo·k(x, x_m)/√k(x_m, x_m)
//
// over the landmarks with weight. It is immutable and safe for concurrent use.
type Model struct {
	terms     []term
	intercept []float64
	inputs    int // d
	shared    bool
	seed      uint64
	workers   int
	reports   []Report
}

// term holds the landmarks with weight of one kernel.
type term struct {
	kernel  kernel.Kernel
	points  compute.Matrix // m×d
	weights compute.Matrix // m×q, w_mo/√k(x_m, x_m)
	mu      compute.Matrix // m×q, or m×1 when shared
}

// newModel builds the model of tasks whose columns are those of set, in
// ascending order, with their means.
func newModel(s *settings, cols *columns, tasks []*task, set []int, meanC, meanY []float64, reports []Report) *Model {
	m := &Model{inputs: cols.points.Cols, shared: s.Shared, seed: s.Seed, workers: s.Workers, reports: reports}
	m.intercept = make([]float64, len(meanY))
	if !s.NoIntercept {
		copy(m.intercept, meanY)
		for _, t := range tasks {
			for j := range set {
				blas64.Axpy(-meanC[j], vector(row(t.w, j)), vector(m.intercept[t.output:t.output+t.w.Cols]))
			}
		}
	}
	used := make([][]int, len(cols.kernels)) // of each kernel, places in set
	for j, c := range set {
		if k, _ := cols.locate(c); anyWeight(tasks, j) {
			used[k] = append(used[k], j)
		}
	}
	for k, list := range used {
		m.terms = append(m.terms, newTerm(cols, k, tasks, set, list, len(meanY)))
	}
	return m
}

// check returns rkhs.ErrDiverged if a coefficient is not a finite number, as can
// happen with columns near the ends of the range of numbers.
func (m *Model) check() error {
	lists := [][]float64{m.intercept}
	for _, t := range m.terms {
		lists = append(lists, t.weights.Data, t.mu.Data)
	}
	for _, list := range lists {
		for _, v := range list {
			if !finite(v) {
				return fmt.Errorf("slkl: a coefficient is %v; features or targets are too small or too large: %w", v, rkhs.ErrDiverged)
			}
		}
	}
	return nil
}

func anyWeight(tasks []*task, j int) bool {
	for _, t := range tasks {
		if t.mu[j] > 0 {
			return true
		}
	}
	return false
}

func newTerm(cols *columns, k int, tasks []*task, set, list []int, outputs int) term {
	t := term{kernel: cols.kernels[k], weights: compute.NewMatrix(len(list), outputs), mu: compute.NewMatrix(len(list), len(tasks))}
	members := make([]int, len(list))
	for i, j := range list {
		members[i] = set[j]
		for o, task := range tasks {
			row(t.mu, i)[o] = task.mu[j] * task.s.Lambda
			blas64.Axpy(cols.scale[set[j]], vector(row(task.w, j)), vector(row(t.weights, i)[task.output:task.output+task.w.Cols]))
		}
	}
	t.points = cols.gather(members)
	return t
}

// Dims returns the number of inputs d and of outputs q.
func (m *Model) Dims() (inputs, outputs int) { return m.inputs, len(m.intercept) }

// Seed returns the seed of the fit.
func (m *Model) Seed() uint64 { return m.seed }

// Reports returns a report for each output, or a single one if the outputs
// share their mu.
func (m *Model) Reports() []Report { return append([]Report(nil), m.reports...) }

// ModelOrder returns the number of pairs of kernel and landmark that have weight
// for any output.
func (m *Model) ModelOrder() int {
	n := 0
	for _, t := range m.terms {
		n += t.points.Rows
	}
	return n
}

// Intercept returns the constant term of each output.
func (m *Model) Intercept() []float64 { return append([]float64(nil), m.intercept...) }

// Predict returns f(x), n×q for n rows. O(n·m0·(d + q)).
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
	rows, err := door.View("slkl", "x", x)
	if err != nil {
		return err
	}
	if rows.Cols != m.inputs {
		return fmt.Errorf("slkl: x has %d columns, want %d: %w", rows.Cols, m.inputs, rkhs.ErrShape)
	}
	out := compute.NewMatrix(rows.Rows, len(m.intercept))
	if err := m.eval(out, rows); err != nil {
		return err
	}
	return door.Store("slkl", dst, out)
}

// eval sets out = f(x) for rows that have passed the door but for the domains
// of the kernels.
func (m *Model) eval(out, x compute.Matrix) error {
	part := compute.NewMatrix(out.Rows, out.Cols)
	for i := range out.Rows {
		copy(row(out, i), m.intercept)
	}
	for _, t := range m.terms {
		if err := checkKernels([]kernel.Kernel{t.kernel}, x); err != nil {
			return err
		}
		if t.points.Rows == 0 {
			continue
		}
		kernel.Evaluator{Kernel: t.kernel, Workers: m.workers}.Mul(part, x, t.points, t.weights)
		blas64.Axpy(1, vector(part.Data), vector(out.Data))
	}
	return nil
}

// Kernel returns the kernel that was learned for an output, eq. (4) of the
// paper,
//
//	k(x, z) = Σ_m mu_m·k(x, x_m)·k(z, x_m)/k(x_m, x_m),
//
// an ordinary kernel for any other learner. With a shared mu every output has
// the same one. It panics if there is no such output.
func (m *Model) Kernel(output int) kernel.Kernel {
	_ = m.intercept[output]
	if m.shared {
		output = 0
	}
	var sum kernel.Sum
	for _, t := range m.terms {
		if t.points.Rows > 0 {
			sum = append(sum, t.learned(output))
		}
	}
	switch len(sum) {
	case 0:
		return kernel.Scale{By: 0, Of: m.terms[0].kernel}
	case 1:
		return sum[0]
	}
	return sum
}

func (t term) learned(output int) kernel.Kernel {
	mu := make([]float64, t.mu.Rows)
	for j := range mu {
		mu[j] = row(t.mu, j)[output]
	}
	return kernel.LowRank{Base: t.kernel, Points: mat.NewDense(t.points.Rows, t.points.Cols, slices.Clone(t.points.Data)), Weights: mu}
}
