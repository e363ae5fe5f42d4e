package polkpaper

import (
	"fmt"

	"github.com/rkhs-go/rkhs/examples/papers/internal/curve"
	"github.com/rkhs-go/rkhs/examples/papers/report"
)

// quantities are the parts a, b and c of figures 2 and 4 to 8. The name of the error depends on
// the task.
var quantities = []struct {
	letter, name string
	value        func(curve.Point) float64
}{
	{"a", "loss on the test rows", func(p curve.Point) float64 { return p.Loss }},
	{"b", "", func(p curve.Point) float64 { return 100 * p.Error }},
	{"c", "points", func(p curve.Point) float64 { return float64(p.Order) }},
}

// figures draws the learning curves of the online methods, one figure per loss. It omits NORMA,
// which is not in the paper. Bands are standard deviations over the runs.
func (o *outcome) figures(s *settings, task, errorName string, numbers [2]int) error {
	for i, l := range losses {
		for _, q := range quantities {
			c := report.Chart{Title: fmt.Sprintf("Figure %d (%s): %s, %s", numbers[i], q.letter, task, l.name), X: "training rows", Y: q.name}
			if q.name == "" {
				c.Y = errorName
			}
			for j, m := range o.methods {
				if runs := o.curves[i][j]; len(runs) > 0 && len(runs[0]) > 1 && m.family != "NORMA" {
					c.Lines = append(c.Lines, line(m, runs, q.value))
				}
			}
			if err := s.Figure(fmt.Sprintf("polk-figure%d%s.png", numbers[i], q.letter), c); err != nil {
				return err
			}
		}
	}
	return nil
}

// line returns the mean curve of a method over its runs.
func line(m method, runs [][]curve.Point, value func(curve.Point) float64) report.Line {
	out := report.Line{Label: m.short(), Family: m.family}
	for i, p := range runs[0] {
		var over report.Sample
		for _, run := range runs {
			over.Add(value(run[i]))
		}
		out.Add(float64(p.Rows), over)
	}
	return out
}

// short returns the name for a legend.
func (m method) short() string {
	switch {
	case m.k == 0:
		return "POLK, default options"
	case m.family == paperFamily:
		return fmt.Sprintf("POLK, K = %v", m.k)
	}
	return fmt.Sprintf("%s, M of K = %v", m.family, m.k)
}
