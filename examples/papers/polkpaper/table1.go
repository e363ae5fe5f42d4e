package polkpaper

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/plotter"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/examples/papers/internal/baseline"
	"github.com/rkhs-go/rkhs/examples/papers/report"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/synthetic"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

// table1 checks the theorems in table 1 with logistic regression on a finite set of multidist.
// Steps draw rows with replacement. Batch descent on all rows gives the minimum f*.
//
//   - Theorem 1: with steps of O(1/t) and the budget eta_t², f_t converges to f*, and the order is
//     unbounded.
//   - Theorem 2: with constant steps and the budget K·eta^1.5, the distance of f_t from f* is
//     O(√eta), and the order is bounded.
func table1(ctx context.Context, s *settings) error {
	last := 15
	if s.short {
		last = 9
	}
	curves := make([][]convergence, len(regimes))
	err := s.Each(ctx, func(seed uint64) error {
		c, err := newConvergenceTask(seed)
		if err != nil {
			return err
		}
		for i, r := range regimes {
			if curves[i], err = c.follow(ctx, r.options, last, curves[i]); err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return printConvergence(s, curves)
}

// regime is a column of table 1.
type regime struct {
	name    string
	options polk.Options
}

var regimes = []regime{
	{"diminishing, eta_0 = 0.2", polk.Options{Paper: polk.Paper{Rate: 0.2, Schedule: polk.Diminishing, BudgetConstant: 1}}},
	{"constant, eta = 0.4", polk.Options{Paper: polk.Paper{Rate: 0.4, Schedule: polk.Constant, BudgetConstant: 0.04}}},
	{"constant, eta = 0.1", polk.Options{Paper: polk.Paper{Rate: 0.1, Schedule: polk.Constant, BudgetConstant: 0.04}}},
}

// convergence holds distance and order after a number of steps, over the runs.
type convergence struct {
	steps           int
	distance, order report.Sample
}

const (
	convergenceRidge   = 1e-2
	convergenceRows    = 500
	convergenceBatch   = 8
	convergenceClasses = 5
	firstPower         = 6 // log2 of the first number of steps
)

// convergenceTask is a set of rows with the minimum of the objective on them.
type convergenceTask struct {
	rows   *dataset.Set
	kernel kernel.Gaussian
	best   kernel.Expansion
	norm   float64 // of best
	seed   uint64
}

func newConvergenceTask(seed uint64) (*convergenceTask, error) {
	all, _ := synthetic.Multidist(convergenceRows, seed)
	c := &convergenceTask{rows: all, kernel: kernel.Gaussian{Sigma: 0.6}, seed: seed}
	f, err := baseline.FitBatch(c.kernel, all.X, classIndex(all.Y), convergenceClasses,
		baseline.BatchOptions{Lambda: convergenceRidge, Temperature: 1, Iterations: 2000})
	if err != nil {
		return nil, err
	}
	// At the minimum lam·f* = −Σ_i l'(f*(x_i), y_i)·k(x_i, ·)/n. The values of f* are more
	// accurate than the weights of its points, so compute the weights from them.
	w := f.Scores(all.X)
	for i, y := range all.Y {
		loss.Softmax{}.Gradient(w.RawRowView(i), w.RawRowView(i), int(y))
	}
	w.Scale(-1/(convergenceRidge*convergenceRows), w)
	c.best = kernel.Expansion{Kernel: c.kernel, Points: all.X, Weights: w}
	norms, err := c.best.Norm()
	c.norm = floats.Norm(norms, 2)
	return c, err
}

// follow adds a run to the points of a regime and returns them.
func (c *convergenceTask) follow(ctx context.Context, o polk.Options, last int, points []convergence) ([]convergence, error) {
	o.Loss, o.Kernel, o.Ridge, o.NoIntercept, o.Batch, o.MaxPoints = loss.Softmax{}, c.kernel, convergenceRidge, true, convergenceBatch, 1<<20
	l, err := polk.NewClassLearner([]int{0, 1, 2, 3, 4}, &o)
	if err != nil {
		return nil, err
	}
	draw := rng.New(c.seed, "polk table 1", 0)
	if points == nil {
		for p := firstPower; p <= last; p++ {
			points = append(points, convergence{steps: 1 << p})
		}
	}
	step := 0
	for i := range points {
		for ; step < points[i].steps; step++ {
			selected := c.rows.Select(draws(draw, convergenceBatch))
			if err := l.Update(selected.X, mat.NewVecDense(convergenceBatch, selected.Y)); err != nil {
				return nil, err
			}
		}
		m, err := l.Model(ctx)
		if err != nil {
			return nil, err
		}
		d, err := c.distance(m.Model().Expansion())
		if err != nil {
			return nil, err
		}
		points[i].distance.Add(d)
		points[i].order.Add(float64(m.Model().ModelOrder()))
	}
	return points, nil
}

func draws(r *rng.Stream, count int) []int {
	list := make([]int, count)
	for i := range list {
		list[i] = r.IntN(convergenceRows)
	}
	return list
}

// distance returns ‖f − f*‖/‖f*‖ in the RKHS.
func (c *convergenceTask) distance(f kernel.Expansion) (float64, error) {
	d, err := f.Distance(c.best)
	return floats.Norm(d, 2) / c.norm, err
}

func printConvergence(s *settings, curves [][]convergence) error {
	distance := report.Table{Title: fmt.Sprintf("Table 1, theorems 1 and 2: ‖f_t − f*‖/‖f*‖, logistic regression on %d rows of multidist, lam = %v", convergenceRows, convergenceRidge), Head: []string{"steps t"}}
	order := report.Table{Title: "Table 1: model order", Head: []string{"steps t"}}
	chart := report.Chart{Title: "Table 1: distance from the minimum", X: "steps", Y: "‖f_t − f*‖ / ‖f*‖", LogX: true, LogY: true}
	orders := report.Chart{Title: "Table 1: model order", X: "steps", Y: "points", LogX: true}
	for _, r := range regimes {
		distance.Head, order.Head = append(distance.Head, r.name), append(order.Head, r.name)
		chart.Lines, orders.Lines = append(chart.Lines, report.Line{Label: r.name}), append(orders.Lines, report.Line{Label: r.name})
	}
	for i, p := range curves[0] {
		d, o := []string{fmt.Sprint(p.steps)}, []string{fmt.Sprint(p.steps)}
		for j, c := range curves {
			d, o = append(d, c[i].distance.Text(3)), append(o, c[i].order.Text(0))
			chart.Lines[j].Points = append(chart.Lines[j].Points, plotter.XY{X: float64(p.steps), Y: c[i].distance.Mean()})
			orders.Lines[j].Add(float64(p.steps), c[i].order)
		}
		distance.Row(d...)
		order.Row(o...)
	}
	if err := distance.Print(s.W); err != nil {
		return err
	}
	if err := order.Print(s.W); err != nil {
		return err
	}
	fmt.Fprintln(s.W, "the paper: diminishing steps f_t → f*, no bound of the order; constant steps liminf ‖f_t − f*‖ = O(√eta), a bounded order")
	if err := s.Figure("polk-table1-distance.png", chart); err != nil {
		return err
	}
	return s.Figure("polk-table1-order.png", orders)
}
