package slklpaper

import (
	"context"
	"fmt"
	"strings"

	"github.com/rkhs-go/rkhs/examples/papers/internal/score"
	"github.com/rkhs-go/rkhs/examples/papers/report"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

// regression is a data set of Table 2.
type regression struct {
	name     string
	sigma2   float64 // from Table 1
	decimals int
	source   source
	cells    []cell
}

// cell is a column of Table 2: a number of landmarks with the published results and ours.
type cell struct {
	landmarks int
	paper     map[string]string
	ours      map[string]*report.Sample
}

func newCell(landmarks int, krrN, krrM, unif, slkl, order string) cell {
	c := cell{landmarks: landmarks, paper: map[string]string{"KRR_n": krrN, "KRR_M": krrM, "Unif": unif, "SLKL": slkl, "m0": order}}
	c.ours = make(map[string]*report.Sample)
	for _, r := range rows {
		c.ours[r] = new(report.Sample)
	}
	return c
}

// rows are the rows of Table 2. Rows after m0 are not in the paper.
var rows = []string{
	"KRR_n", "KRR_M", "Unif", "SLKL", "m0",
	"SLKL at the optimum", "m0 at the optimum",
	"SLKL with intercept", "m0 with intercept",
	"KRR_M, clean targets", "Unif, clean targets", "SLKL, clean targets",
}

func table2(ctx context.Context, s *report.Settings) error {
	sets, err := regressions(s)
	if err != nil {
		return err
	}
	for _, set := range sets {
		err := s.Each(ctx, func(seed uint64) error { return set.run(ctx, seed) })
		if err != nil {
			return fmt.Errorf("%s: %w", set.name, err)
		}
		if err := set.print(s); err != nil {
			return err
		}
	}
	return nil
}

func regressions(s *report.Settings) ([]regression, error) {
	boston, err := fileSource(s, "boston.csv.gz", 156)
	if err != nil {
		return nil, err
	}
	abalone, err := fileSource(s, "abalone.csv.gz", 1177)
	if err != nil {
		return nil, err
	}
	return []regression{
		{"sinc", 1, 4, sincSource, []cell{
			newCell(256, "0.009", "0.0146±1e-3", "0.0124±1e-4", "0.0106±4e-4", "83"),
			newCell(512, "", "0.0124±7e-4", "0.0124±3e-5", "0.0103±2e-4", "108"),
			newCell(1000, "", "0.0099", "0.0124", "0.0104±1e-4", "139"),
		}},
		{"boston", 3.25, 2, boston, []cell{
			newCell(128, "10.17", "33.27±7.8", "149.7±5.57", "20.17±2.3", "108"),
			newCell(256, "", "16.89±3.27", "147.84±2.24", "13.1±0.87", "161"),
			newCell(350, "", "10.17", "147.72", "11.43±0.06", "184"),
		}},
		{"abalone", 2.5, 2, abalone, []cell{
			newCell(512, "6.91", "6.14±0.25", "10.04±0.17", "5.04±0.08", "159"),
			newCell(1024, "", "5.51±0.09", "9.96±0.06", "4.94±0.03", "191"),
			newCell(3000, "", "5.25", "9.99", "4.95±0.004", "253"),
		}},
	}, nil
}

// run adds one run to every cell. KRR_n is in the first cell.
func (g regression) run(ctx context.Context, seed uint64) error {
	d, err := g.source(seed)
	if err != nil {
		return err
	}
	k := gaussian(g.sigma2)
	all, err := exact(k, d.train, len(d.train.Y), d.test.X)
	if err != nil {
		return err
	}
	g.cells[0].ours["KRR_n"].Add(score.MeanSquare(all, d.test.Y))
	for _, c := range g.cells {
		if err := c.baselines(d, k, all); err != nil {
			return err
		}
		if err := c.sparse(ctx, d, k, seed); err != nil {
			return err
		}
	}
	return nil
}

// baselines adds the competitors of SLKL. all holds the predictions of KRR_n, which equals KRR_M
// for M = n.
func (c cell) baselines(d split, k kernel.Kernel, all []float64) (err error) {
	some := all
	if c.landmarks < len(d.train.Y) {
		if some, err = exact(k, d.train, c.landmarks, d.test.X); err != nil {
			return err
		}
	}
	c.score("KRR_M", some, d)
	even, err := uniform(k, d.train, c.landmarks, d.test.X)
	if err != nil {
		return err
	}
	c.score("Unif", even, d)
	return nil
}

// score adds the test error of predictions.
func (c cell) score(row string, f []float64, d split) {
	c.ours[row].Add(score.MeanSquare(f, d.test.Y))
	if clean := c.ours[row+", clean targets"]; clean != nil && d.clean != nil {
		clean.Add(score.MeanSquare(f, d.clean))
	}
}

func (c cell) sparse(ctx context.Context, d split, k kernel.Kernel, seed uint64) error {
	for _, v := range []struct {
		suffix  string
		options *slkl.Options
	}{
		{"", paperOptions(k, c.landmarks, seed)},
		{" at the optimum", optimumOptions(k, c.landmarks)},
		{" with intercept", interceptOptions(k, c.landmarks)},
	} {
		f, order, err := sparse(ctx, d.train, d.test.X, v.options)
		if err != nil {
			return err
		}
		c.score("SLKL"+v.suffix, f, d)
		c.ours["m0"+v.suffix].Add(float64(order))
	}
	return nil
}

// print shows the published results in brackets next to ours.
func (g regression) print(s *report.Settings) error {
	t := report.Table{Title: fmt.Sprintf("Table 2, %s: mean square error on the test rows, %d runs (the paper's)", g.name, s.Runs), Head: []string{""}}
	for _, c := range g.cells {
		t.Head = append(t.Head, fmt.Sprintf("M = %d", c.landmarks))
	}
	for _, name := range rows {
		fields, any := []string{name}, false
		for _, c := range g.cells {
			text := c.text(name, g.decimals)
			fields, any = append(fields, text), any || text != ""
		}
		if any {
			t.Row(fields...)
		}
	}
	return t.Print(s.W)
}

func (c cell) text(row string, decimals int) string {
	switch {
	case strings.HasPrefix(row, "m0"):
		decimals = 0
	case strings.HasSuffix(row, "clean targets"):
		decimals = 5
	}
	text := c.ours[row].Text(decimals)
	if p := c.paper[row]; p != "" {
		text += " (" + p + ")"
	}
	return text
}
