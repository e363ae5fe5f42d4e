package main

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"

	"github.com/rkhs-go/rkhs/examples/internal/curve"
	"github.com/rkhs-go/rkhs/examples/internal/plots"
)

// drawCurves draws figures 2 and 4 of the paper: for each loss a column of loss,
// error and number of points over the rows.
func drawCurves(path string, t task, results []result) error {
	quantities := []struct {
		name  string
		value func(curve.Point) float64
	}{
		{"mean loss on the test rows", func(p curve.Point) float64 { return p.Loss }},
		{"test error, % (dotted: the Bayes rule)", func(p curve.Point) float64 { return 100 * p.Error }},
		{"points in the dictionary", func(p curve.Point) float64 { return float64(p.Order) }},
	}
	table := make([][]*plot.Plot, len(quantities))
	for i, q := range quantities {
		for _, r := range results {
			p := plot.New()
			p.X.Label.Text, p.Y.Label.Text = "rows learned from", q.name
			p.Y.Min = 0
			p.Legend.Top, p.Legend.Padding = true, vg.Points(3)
			if i == 0 {
				p.Title.Text = r.name
			}
			if i == 1 {
				p.Add(t.bayesLine())
			}
			if err := addLines(p, r, q.value, i == 0); err != nil {
				return err
			}
			table[i] = append(table[i], p)
		}
	}
	return plots.Save(path, table, 30*vg.Centimeter, 34*vg.Centimeter)
}

func (t task) bayesLine() *plotter.Function {
	f := plotter.NewFunction(func(float64) float64 { return 100 * t.bayes })
	f.Dashes = []vg.Length{vg.Points(1), vg.Points(3)}
	return f
}

// addLines draws a line for each method, and names them if asked to.
func addLines(p *plot.Plot, r result, value func(curve.Point) float64, legend bool) error {
	for k, m := range r.methods {
		points := make(plotter.XYs, len(m.points))
		for i, v := range m.points {
			points[i] = plotter.XY{X: float64(v.Rows), Y: value(v)}
		}
		l, err := plotter.NewLine(points)
		if err != nil {
			return err
		}
		l.Color = plotutil.Color(k)
		p.Add(l)
		if legend {
			p.Legend.Add(m.name, l)
		}
	}
	return nil
}
