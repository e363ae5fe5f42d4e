package polkpaper

import (
	"fmt"

	"gonum.org/v1/plot/plotter"

	"github.com/rkhs-go/rkhs/examples/papers/internal/curve"
	"github.com/rkhs-go/rkhs/examples/papers/report"
)

// quantities are the parts a, b and c of figures 2 and 4 to 8.
var quantities = []struct {
	letter, name string
	value        func(curve.Point) float64
}{
	{"a", "loss on the test rows", func(p curve.Point) float64 { return p.Loss }},
	{"b", "test error, %", func(p curve.Point) float64 { return 100 * p.Error }},
	{"c", "points", func(p curve.Point) float64 { return float64(p.Order) }},
}

// figures draws the curves of the first run, for each loss a figure of its number
// in the paper.
func (o *outcome) figures(s *report.Settings, task string, numbers [2]int) error {
	for i, l := range losses {
		for _, q := range quantities {
			c := report.Chart{Title: fmt.Sprintf("Figure %d (%s): %s, %s", numbers[i], q.letter, task, l.name), X: "rows", Y: q.name}
			for j, points := range o.curves[i] {
				if len(points) > 1 {
					c.Lines = append(c.Lines, report.Line{Label: methods[j].name, Points: line(points, q.value)})
				}
			}
			if err := s.Figure(fmt.Sprintf("polk-figure%d%s.png", numbers[i], q.letter), c); err != nil {
				return err
			}
		}
	}
	return nil
}

func line(points []curve.Point, value func(curve.Point) float64) plotter.XYs {
	out := make(plotter.XYs, len(points))
	for i, p := range points {
		out[i] = plotter.XY{X: float64(p.Rows), Y: value(p)}
	}
	return out
}
