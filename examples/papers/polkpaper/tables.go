package polkpaper

import (
	"context"
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs/examples/papers/internal/curve"
	"github.com/rkhs-go/rkhs/examples/papers/report"
	"github.com/rkhs-go/rkhs/loss"
)

// losses are the losses of the two tasks in the paper.
var losses = []struct {
	name string
	loss loss.Multiclass
}{{"Multi-KSVM", loss.MulticlassHinge{}}, {"Multi-Logistic", loss.Softmax{}}}

// cell holds the results of one method with one loss, over the runs.
type cell struct{ loss, error, order report.Sample }

// outcome holds the cells and the curves of all runs, indexed by loss and method.
type outcome struct {
	methods []method
	cells   [][]cell
	curves  [][][][]curve.Point // loss, method, run, point
}

// add runs all methods on a task.
func (o *outcome) add(ctx context.Context, t *task) error {
	if o.methods == nil {
		o.methods = t.methods()
		for range losses {
			o.cells = append(o.cells, make([]cell, len(o.methods)))
			o.curves = append(o.curves, make([][][]curve.Point, len(o.methods)))
		}
	}
	for i, l := range losses {
		curves, err := t.compare(ctx, o.methods, l.loss)
		if err != nil {
			return err
		}
		for j, points := range curves {
			if len(points) > 0 {
				t.excess(points)
				o.cells[i][j].add(points[len(points)-1])
				o.curves[i][j] = append(o.curves[i][j], points)
			}
		}
	}
	return nil
}

// excess subtracts the error of the Bayes rule if it is known.
func (t *task) excess(points []curve.Point) {
	if math.IsNaN(t.bayes) {
		return
	}
	for i := range points {
		points[i].Error -= t.bayes
	}
}

func (c *cell) add(p curve.Point) {
	c.loss.Add(p.Loss)
	c.error.Add(100 * p.Error)
	c.order.Add(float64(p.Order))
}

// compare returns the curve of each method. It runs the method of the paper first, because its
// orders are the budgets of the other methods.
func (t *task) compare(ctx context.Context, methods []method, l loss.Multiclass) (curves [][]curve.Point, err error) {
	curves = make([][]curve.Point, len(methods))
	budgets := make(map[float64]int) // by K
	for _, first := range []bool{true, false} {
		for j, m := range methods {
			if (m.family == paperFamily) != first {
				continue
			}
			if curves[j], err = m.run(t, ctx, l, budgets[m.k]); err != nil {
				return nil, fmt.Errorf("%s: %w", m.name, err)
			}
			if first {
				budgets[m.k] = max(1, curves[j][len(curves[j])-1].Order)
			}
		}
	}
	return curves, nil
}

func (o *outcome) print(s *settings, title, errorName, words string) error {
	t := report.Table{Title: title, Head: []string{""}}
	for _, l := range losses {
		t.Head = append(t.Head, l.name+": loss", errorName, "order")
	}
	for j, m := range o.methods {
		fields := []string{m.name}
		for i := range losses {
			c := o.cells[i][j]
			fields = append(fields, known(c.loss, 3), c.error.Text(2), c.order.Text(0))
		}
		t.Row(fields...)
	}
	if err := t.Print(s.W); err != nil {
		return err
	}
	_, err := fmt.Fprintf(s.W, "the paper: %s\n", words)
	return err
}

// known returns the text of a sample, or "" for NaN.
func known(s report.Sample, decimals int) string {
	if len(s) > 0 && math.IsNaN(s[0]) {
		return ""
	}
	return s.Text(decimals)
}

func multidistTable(ctx context.Context, s *settings) error {
	o := new(outcome)
	if err := s.Each(ctx, func(seed uint64) error { return o.add(ctx, multidist(s.short, seed)) }); err != nil {
		return err
	}
	err := o.print(s, fmt.Sprintf("Table 2, multidist: loss and error in %% on the test rows, in excess of the Bayes rule's, %d runs", s.Runs), "excess",
		"KSVM: POLK equals LIBSVM with fewer points and is better than L-BFGS; BSGD with as few points\n"+
			"as POLK does not converge; the best order is that of the 15 modes. KLR: POLK comparable to IVM and L-BFGS.")
	if err != nil {
		return err
	}
	return o.figures(s, "multidist", "error in excess of the Bayes rule's, %", [2]int{2, 4})
}

func texturesTable(ctx context.Context, s *settings) error {
	o, rows := new(outcome), 0
	err := s.Each(ctx, func(seed uint64) error {
		t, err := texturesTask(s.short, seed)
		if err != nil {
			return err
		}
		rows = len(t.train.Y)
		return o.add(ctx, t)
	})
	if err != nil {
		return err
	}
	err = o.print(s, fmt.Sprintf("Table 3, synthetic textures in place of brodatz, %d rows: loss and error in %% on the test rows, %d runs", rows, s.Runs), "error",
		"POLK better than BSGD with as many points in speed and error, near LIBSVM with far fewer;\n"+
			"KLR near L-BFGS with a tenth of its points. IVM could not be run.")
	if err != nil {
		return err
	}
	return o.figures(s, "textures", "error on the test rows, %", [2]int{6, 8})
}

func mnistTable(ctx context.Context, s *settings) error {
	t, err := mnist(&s.Settings, s.short)
	if err != nil {
		return err
	}
	o := new(outcome)
	if err := o.add(ctx, t); err != nil {
		return err
	}
	err = o.print(s, fmt.Sprintf("Table 3, MNIST, %d rows: loss and error in %% on the test rows", len(t.train.Y)), "error",
		"POLK better than BSGD with as many points in speed and error, near LIBSVM with far fewer;\n"+
			"KLR errs more than KSVM. L-BFGS and IVM could not be run.")
	if err != nil {
		return err
	}
	return o.figures(s, "MNIST", "error on the test rows, %", [2]int{5, 7})
}
