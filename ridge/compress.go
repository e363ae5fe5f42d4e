package ridge

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/internal/nystrom"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/kernel"
)

// Compress returns the orthogonal projection f_c of f, in the space of the kernel, onto the
// functions on at most the given number of its points. Each point is nearly the one that lowers
// ‖f − f_c‖ most (see Vincent and Bengio, "Kernel matching pursuit", 2002). Constants stay.
// Report.CompressionError is ‖f − f_c‖, and |f(x) − f_c(x)| is at most CompressionError·√k(x, x). Report.Error grows by CompressionError.
// A cancelled compression returns the points so far, if any, with the error. Errors wrap
// rkhs.ErrOption, rkhs.ErrUnfitted, and rkhs.ErrMemory above 4 GiB. It needs 8·m·p bytes and
// O(m·p·(d + p) + m²·(d + q)) for p of m points.
func (m *Model) Compress(ctx context.Context, points int) (*Model, error) {
	if err := model.Fitted(pkg, "Compress", m.function()); err != nil {
		return nil, err
	}
	if err := input.Context(pkg, ctx); err != nil {
		return nil, err
	}
	if points < 1 {
		return nil, fmt.Errorf("ridge: points = %d, want one or more: %w", points, rkhs.ErrOption)
	}
	n := m.ModelOrder()
	bytes := 8 * float64(n) * float64(min(points, n))
	if err := input.Memory(pkg, fmt.Sprintf("%d of %d points", points, n), bytes, input.DefaultMemory); err != nil {
		return nil, err
	}
	progress := progress.New(ctx, nil, pkg)
	defer progress.Close()
	return m.project(points, progress)
}

// project returns the model on the given number of points.
func (m *Model) project(points int, progress *progress.Monitor) (*Model, error) {
	term := m.sum.Term()
	of := gram.Evaluator{Kernel: term.Kernel, Workers: m.sum.Workers}
	x, all := expansion.Points(term), expansion.Weights(term)
	f, done := values(of, x, all, progress)
	if !done {
		return nil, progress.Err()
	}
	rows, weights := nystrom.Pursue(of, x, f, points, func(int, int) bool { return !progress.Stopped() })
	if len(rows) == 0 { // f is zero, or the compression was cancelled
		if err := progress.Err(); err != nil {
			return nil, err
		}
		rows, weights = []int{0}, compute.NewMatrix(1, all.Cols)
	}
	residual := compute.Clone(all)
	for i, row := range rows {
		floats.Sub(compute.Row(residual, row), compute.Row(weights, i))
	}
	left, done := values(of, x, residual, progress)
	if !done { // ‖f‖ bounds the norm of its residual
		residual, left = all, f
	}
	terms := []kernel.Expansion{expansion.Of(of.Kernel, x.Pick(rows), weights)}
	sum := model.NewSum(m.sum.Inputs, m.Intercept(), terms, of.Workers)
	c := &Model{sum: sum, seed: m.seed, report: m.report.clone(), intervals: m.intervals}
	c.report.setCompressionError(roots(compute.ColumnDots(residual, left)))
	c.report.ModelOrder = len(rows)
	return c, progress.Err()
}

// setCompressionError sets the compression error. f_c and f − f_c are orthogonal.
func (r *Report) setCompressionError(norms []float64) {
	r.CompressionError = norms
	for o := range r.Error {
		r.Error[o] += norms[o]
	}
	for o, v := range r.Norm {
		r.Norm[o] = math.Sqrt(max(0, v*v-norms[o]*norms[o]))
	}
}

// values returns the values at x of the function with weights on x, or false if it was stopped.
func values(of gram.Evaluator, x compute.Points, weights compute.Matrix, progress *progress.Monitor) (f compute.Matrix, done bool) {
	const rows = 512
	f = compute.NewMatrix(x.Rows, weights.Cols)
	for from, to := range compute.Chunks(x.Rows, rows) {
		if progress.Stopped() {
			return f, false
		}
		of.MulOf(compute.Rows(f, from, to), x.Between(from, to), x, weights)
	}
	return f, true
}

// Compress returns the classifier with the scores of Model.Compress.
func (c *Classifier) Compress(ctx context.Context, points int) (*Classifier, error) {
	m, err := c.Model().Compress(ctx, points)
	if m == nil {
		return nil, err
	}
	return &Classifier{model: m, labels: slices.Clone(c.labels), probabilities: c.probabilities}, err
}
