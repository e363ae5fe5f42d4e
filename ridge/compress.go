package ridge

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/centres"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/kernel"
)

// Compress returns the orthogonal projection, in the space of the kernel, of f onto the
// functions on so many of its points, or fewer where these carry f to rounding. Each point
// is nearly the one that lowers ‖f − f_c‖ most (see Vincent and Bengio, "Kernel matching
// pursuit", 2002). The report of the result has Lost = ‖f − f_c‖ of each output, by
// which |f(x) − f_c(x)| is at most Lost·√k(x, x), and its Error is larger by that; of the
// fit it keeps what is said there. Constants stay as they are.
//
// A compression that is cancelled returns the points that it has by then, if any, together
// with the error. Other errors wrap rkhs.ErrOption, rkhs.ErrUnfitted and rkhs.ErrMemory,
// for more than 4 GiB. O(m·p·(d + p) + m²·(d + q)) for p of m points, 8·m·p bytes.
func (m *Model) Compress(ctx context.Context, points int) (*Model, error) {
	if err := model.Fitted(pkg, "Compress", m.function()); err != nil {
		return nil, err
	}
	if err := door.Context(pkg, ctx); err != nil {
		return nil, err
	}
	if points < 1 {
		return nil, fmt.Errorf("ridge: points = %d, want one or more: %w", points, rkhs.ErrOption)
	}
	n := m.ModelOrder()
	if err := door.Memory(pkg, fmt.Sprintf("%d of %d points", points, n), 8*float64(n)*float64(min(points, n)), door.DefaultMemory); err != nil {
		return nil, err
	}
	watch := monitor.New(ctx, nil, pkg)
	defer watch.Close()
	return newCompression(m, watch).to(points)
}

// compression is the function on its way to fewer points.
type compression struct {
	from    *Model
	of      gram.Evaluator
	points  compute.Points
	weight  compute.Matrix
	monitor *monitor.Monitor
}

func newCompression(m *Model, watch *monitor.Monitor) *compression {
	term := m.sum.Term()
	return &compression{from: m, of: gram.Evaluator{Kernel: term.Kernel, Workers: m.sum.Workers},
		points: expansion.Points(term), weight: term.Weights.RawMatrix(), monitor: watch}
}

// to returns the model on so many points.
func (c *compression) to(points int) (*Model, error) {
	f, done := c.values(c.weight)
	if !done {
		return nil, c.monitor.Err()
	}
	rows, weights := centres.Pursue(c.of, c.points, f, points, func(int, int) bool { return !c.monitor.Stopped() })
	if len(rows) == 0 { // f is zero, or there was no time for a point
		if err := c.monitor.Err(); err != nil {
			return nil, err
		}
		rows, weights = []int{0}, compute.NewMatrix(1, c.weight.Cols)
	}
	less := compute.Clone(c.weight)
	for i, row := range rows {
		floats.Sub(compute.Row(less, row), compute.Row(weights, i))
	}
	return c.model(rows, weights, c.lost(less, f)), c.monitor.Err()
}

// values returns those of the function of weights at all points, or false if it was
// stopped.
func (c *compression) values(weights compute.Matrix) (f compute.Matrix, done bool) {
	const rows = 512
	f = compute.NewMatrix(c.points.Rows, weights.Cols)
	for from, to := range compute.Chunks(c.points.Rows, rows) {
		if c.monitor.Stopped() {
			return f, false
		}
		c.of.MulOf(compute.Rows(f, from, to), c.points.Between(from, to), c.points, weights)
	}
	return f, true
}

// lost returns the norms of the function of weights that is left, or where there is no
// time to evaluate it those of f, of which it is a part.
func (c *compression) lost(less, f compute.Matrix) []float64 {
	left, done := c.values(less)
	if !done {
		less, left = c.weight, f
	}
	return roots(compute.ColumnDots(less, left))
}

// model is that of points, with its report.
func (c *compression) model(rows []int, weights compute.Matrix, lost []float64) *Model {
	of := &c.from.sum
	terms := []kernel.Expansion{expansion.Of(c.of.Kernel, c.points.Pick(rows), weights)}
	m := &Model{sum: model.NewSum(of.Inputs, slices.Clone(of.Intercept), terms, of.Workers), seed: c.from.seed, report: c.from.report.clone(), intervals: c.from.intervals}
	m.report.ModelOrder, m.report.Lost = len(rows), lost
	for o := range m.report.Error {
		m.report.Error[o] += lost[o]
	}
	for o := range m.report.Norm { // f_c and f − f_c are orthogonal
		v := lost[o]
		m.report.Norm[o] = math.Sqrt(max(0, m.report.Norm[o]*m.report.Norm[o]-v*v))
	}
	return m
}

// roots replaces squares by their roots, those that rounding has made negative by zero.
func roots(squares []float64) []float64 {
	for o, v := range squares {
		squares[o] = math.Sqrt(max(0, v))
	}
	return squares
}

// Compress returns the classifier of Model.Compress.
func (c *Classifier) Compress(ctx context.Context, points int) (*Classifier, error) {
	m, err := c.Model().Compress(ctx, points)
	if m == nil {
		return nil, err
	}
	return &Classifier{model: m, labels: c.Labels(), probabilities: c.probabilities}, err
}
